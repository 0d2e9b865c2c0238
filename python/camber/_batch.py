"""Several simulations of one scenario at once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

from camber import _core
from camber._errors import Error

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from camber._model import Scenario

    PathLike = str | os.PathLike[str]


class Uniform:
    """Values spread evenly over [low, high]."""

    def __init__(self, low: float, high: float) -> None:
        if not low < high:
            raise Error(f"Uniform: needs low < high, got {low} and {high}")
        self.low, self.high = float(low), float(high)

    def sample(self, rng: np.random.Generator, n: int) -> npt.NDArray[np.float64]:
        """n values."""
        return rng.uniform(self.low, self.high, n)

    def __repr__(self) -> str:
        return f"Uniform({self.low:g}, {self.high:g})"


class Normal:
    """Values of a normal distribution, cut off at low and high if they are given."""

    def __init__(self, mean: float, deviation: float, *, low: float = float("-inf"), high: float = float("inf")) -> None:
        if not deviation > 0 or not low < high:
            raise Error(f"Normal: needs a deviation > 0 and low < high, got {deviation}, {low} and {high}")
        self.mean, self.deviation, self.low, self.high = float(mean), float(deviation), float(low), float(high)

    def sample(self, rng: np.random.Generator, n: int) -> npt.NDArray[np.float64]:
        """n values; those outside of [low, high] are drawn again."""
        import numpy as np

        values: npt.NDArray[np.float64] = rng.normal(self.mean, self.deviation, n)
        for _ in range(10000):
            outside = (values < self.low) | (values > self.high)
            if not outside.any():
                return values
            values[outside] = rng.normal(self.mean, self.deviation, int(outside.sum()))
        raise Error(f"{self!r}: hardly any value is inside of [low, high]")

    def __repr__(self) -> str:
        return f"Normal({self.mean:g}, {self.deviation:g}, low={self.low:g}, high={self.high:g})"


class BatchView:
    """What the drivers of a batch see: ``view.yaw_rate`` has one number for each member.

    time [s]; x, y, z [m]; yaw, roll, pitch, steer [rad]; speed, lateral_speed [m/s]; yaw_rate [rad/s];
    acceleration [m/s^2]; grade [1].
    """

    time: npt.NDArray[np.float64]
    x: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]
    z: npt.NDArray[np.float64]
    yaw: npt.NDArray[np.float64]
    roll: npt.NDArray[np.float64]
    pitch: npt.NDArray[np.float64]
    speed: npt.NDArray[np.float64]
    lateral_speed: npt.NDArray[np.float64]
    yaw_rate: npt.NDArray[np.float64]
    acceleration: npt.NDArray[np.float64]
    steer: npt.NDArray[np.float64]
    grade: npt.NDArray[np.float64]

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self.__dict__.update(columns)

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__)

    def __repr__(self) -> str:
        return f"BatchView({len(self.time)} members, {', '.join(self)})"


class Batch:
    """n simulations of a scenario, stepped together on all cores.

        batch = camber.Batch("scenarios/step-steer.toml", n=64, seed=1, set={"ground.friction": camber.Uniform(0.5, 1)})
        while not batch.done.all():
            batch.step(0.01, steer=0.02, throttle=0.3)

    Values of ``set`` are one for all, a list of n, or a distribution; the same seed gives the same values. A member has
    the bits of a Drive with its settings, whatever the number of threads.
    """

    def __init__(self, scenario: Scenario | PathLike, n: int, *, set: Mapping[str, Any] | None = None, seed: int = 1,
                 threads: int = 0) -> None:
        import numpy as np

        from camber._model import Model, load

        if n < 1:
            raise Error(f"Batch: n must be >= 1, got {n}")
        model = scenario if isinstance(scenario, Model) else load(scenario)
        if model.kind != "scenario":
            raise Error(f"{model.path} is of kind \"{model.kind}\"; a Batch takes a scenario")
        self._scenario = model
        rng = np.random.default_rng(seed)
        self.settings: dict[str, list[Any]] = {}
        for key, value in (set or {}).items():
            self.settings[key] = _spread(key, value, n, rng)
        self._core = _core.Batch(model._source(), [_assign(self.settings, i) for i in range(n)], threads)

    def __len__(self) -> int:
        return len(self._core)

    @property
    def threads(self) -> int:
        """Threads that it steps on."""
        return self._core.threads

    @property
    def view(self) -> BatchView:
        """What the drivers see, as of the last control interval."""
        return BatchView(self._core.columns())

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Which members have ended; they stay as they are."""
        return self._core.done

    @property
    def path_deviation(self) -> npt.NDArray[np.float64]:
        """Distance from the driver's path, to the left [m]."""
        return self._core.path_deviation()

    def step(self, dt: float, *, steer: npt.ArrayLike | None = None, throttle: npt.ArrayLike | None = None,
             brake: npt.ArrayLike | None = None) -> None:
        """All members go on by dt [s]. Commands are one for all or one for each: steer [rad], pedals 0 to 1."""
        self._core.advance(dt, steer, throttle, brake)

    def run(self) -> None:
        """All members to their ends."""
        while not self.done.all():
            self.step(1.0)

    def release(self) -> None:
        """Gives all members back to the scenario's driver."""
        self._core.release()

    def status(self, member: int) -> tuple[str, str, str]:
        """Status of a member, why it failed, and the stop condition that ended it."""
        return self._core.member_status(member)

    def state(self, member: int) -> _core.State:
        """State of a member, to be restored later."""
        return self._core.state(member)

    def restore(self, member: int, state: _core.State) -> None:
        """Continues a member from a state of its scenario bit for bit."""
        self._core.restore(member, state)

    def state_hash(self, member: int) -> str:
        """Hash of a member's state, as Drive.state_hash."""
        return self._core.state_hash(member)

    def __repr__(self) -> str:
        return f"Batch({self._scenario.path!r}, n={len(self)}, set={list(self.settings)})"


def _spread(key: str, value: Any, n: int, rng: np.random.Generator) -> list[Any]:
    if isinstance(value, (Uniform, Normal)):
        return [float(x) for x in value.sample(rng, n)]
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list):
        if len(value) != n:
            raise Error(f"{key}: {len(value)} values for {n} members")
        return value
    return [value] * n


def _assign(settings: Mapping[str, Sequence[Any]], member: int) -> list[str]:
    from camber._model import assignments

    return assignments({key: values[member] for key, values in settings.items()})
