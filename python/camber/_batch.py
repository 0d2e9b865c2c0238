"""Several simulations of one scenario at once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

from camber import _core
from camber._errors import Error
from camber._sampling import Distribution

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from camber._model import Scenario
    from camber._run import Run

    PathLike = str | os.PathLike[str]


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
    """n simulations of a scenario, stepped together in lanes of registers and on all cores.

        batch = camber.Batch("scenarios/step-steer.toml", n=64, seed=1, set={"ground.friction": camber.Uniform(0.5, 1)})
        while not batch.done.all():
            batch.step(0.01, steer=0.02, throttle=0.3)

    Values of ``set`` are one for all, a list of n, or a distribution; the same seed gives the same values. What a member
    does depends neither on the others nor on the number of threads, not in a single bit. ``kernel="scalar"`` gives it the
    bits of a Drive with its settings; in lanes, which are two to three times as fast, the last digits differ. Members that
    lanes cannot drive (sensors, soil grids, several vehicles) are driven in doubles, and ``kernel_note`` says why.
    ``record=True`` keeps all channels, for result() and figures.

    Ctrl-C ends a step; members that are behind make up for it in the next one.
    """

    def __init__(self, scenario: Scenario | PathLike, n: int, *, set: Mapping[str, Any] | None = None, seed: int = 1,
                 threads: int = 0, kernel: str = "lanes", record: bool = False) -> None:
        import numpy as np

        from camber._model import Model, load

        if n < 1:
            raise Error(f"Batch: n must be >= 1, got {n}")
        if threads < 0:
            raise Error(f"Batch: threads must be >= 0 (0: one per core), got {threads}")
        if kernel not in ("lanes", "scalar"):
            raise Error(f'Batch: kernel must be "lanes" or "scalar", got {kernel!r}')
        model = scenario if isinstance(scenario, Model) else load(scenario)
        if model.kind != "scenario":
            raise Error(f"{model.path} is of kind \"{model.kind}\"; a Batch takes a scenario")
        self._scenario = model
        rng = np.random.default_rng(seed)
        self.settings: dict[str, list[Any]] = {}
        for key, value in (set or {}).items():
            self.settings[key] = _spread(key, value, n, rng)
        self._core = _core.Batch(model._source(), [_assign(self.settings, i) for i in range(n)], threads,
                                 kernel == "lanes", record)

    def __len__(self) -> int:
        return len(self._core)

    @property
    def threads(self) -> int:
        """Threads that it steps on."""
        return self._core.threads

    @property
    def kernel(self) -> str:
        """"lanes" if every member is in a lane, else "scalar" or "mixed"."""
        in_lanes = [not self._core.hindrance(i) for i in range(len(self))]
        return "lanes" if all(in_lanes) else "mixed" if any(in_lanes) else "scalar"

    @property
    def kernel_note(self) -> str:
        """Why the first member that is in no lane is driven in doubles; empty if there is none."""
        return next((note for note in map(self._core.hindrance, range(len(self))) if note), "")

    @property
    def view(self) -> BatchView:
        """What the drivers see, as of the last control interval."""
        return BatchView(self._core.columns())

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Which members have ended; they stay as they are."""
        return self._core.done

    @property
    def failed(self) -> npt.NDArray[np.bool_]:
        """Which members have failed: rolled over, hit something, met a stop condition that fails."""
        return self._core.failed

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
        self._core.advance(float("inf"))

    def result(self, member: int) -> Run:
        """What was recorded of a member so far, of a batch that was made with record=True."""
        from camber._run import Run

        return Run(self._core.record(member))

    @property
    def figures(self) -> dict[str, npt.NDArray[np.float64]]:
        """Key figures by name, one number for each member in the figure's unit; NaN: it has none. Needs record=True."""
        return self._core.figures()

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
    if isinstance(value, Distribution):
        return value.sample(rng, n)
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
