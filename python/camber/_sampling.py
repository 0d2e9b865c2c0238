"""How values vary, and which samples a study takes: the words of docs/manual/studies.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Sequence

from camber import _core, _toml
from camber._errors import Error

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class _Table:
    """A table of a study's file. ``table()`` is the dictionary; the rest of a class gives its words."""

    kind = ""

    def __init__(self, **entries: Any) -> None:
        self._entries = {key: value for key, value in entries.items() if value is not None}

    def table(self) -> dict[str, Any]:
        """As a study's file has it."""
        return {"kind": self.kind, **self._entries}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Table) and self.table() == other.table()

    def __hash__(self) -> int:
        return hash(_toml.write_value(self.table()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self._entries.items())})"


class Distribution(_Table):
    """How a value varies, in a Study or a Batch."""

    def __init__(self, **entries: Any) -> None:
        super().__init__(**entries)
        self.quantile(0.5)  # raises if the numbers do not fit together

    def quantile(self, u: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The values at which the distribution function reaches u, 0 to 1; of a Choice, the number of the value."""
        import numpy as np

        given = np.asarray(u, dtype=float)
        return np.asarray(_core.quantiles(_toml.write_value(self.table()), given.ravel())).reshape(given.shape)

    def sample(self, rng: np.random.Generator, n: int) -> list[Any]:
        """n values, from NumPy's generator."""
        return [float(x) for x in self.quantile(rng.random(n))]


class Uniform(Distribution):
    """Values spread evenly over [low, high]; with integer=True whole numbers, both ends included."""

    kind = "uniform"

    def __init__(self, low: float, high: float, *, integer: bool | None = None) -> None:
        super().__init__(low=low, high=high, integer=integer)


class Normal(Distribution):
    """Values of a normal distribution, cut off at low and high if they are given."""

    kind = "normal"

    def __init__(self, mean: float, sigma: float, *, low: float | None = None, high: float | None = None) -> None:
        super().__init__(mean=mean, sigma=sigma, low=low, high=high)


class Lognormal(Distribution):
    """Values whose logarithm is normal: their median, and sigma of the natural logarithm."""

    kind = "lognormal"

    def __init__(self, median: float, sigma_log: float, *, low: float | None = None, high: float | None = None) -> None:
        super().__init__(median=median, sigma_log=sigma_log, low=low, high=high)


class Triangular(Distribution):
    """Values between low and high, most often near mode."""

    kind = "triangular"

    def __init__(self, low: float, mode: float, high: float) -> None:
        super().__init__(low=low, mode=mode, high=high)


class Beta(Distribution):
    """Values of a beta distribution with exponents a and b, stretched over [low, high]."""

    kind = "beta"

    def __init__(self, a: float, b: float, low: float, high: float) -> None:
        super().__init__(a=a, b=b, low=low, high=high)


class Weibull(Distribution):
    """Values of a Weibull distribution."""

    kind = "weibull"

    def __init__(self, shape: float, scale: float, *, low: float | None = None, high: float | None = None) -> None:
        super().__init__(shape=shape, scale=scale, low=low, high=high)


class Exponential(Distribution):
    """Values of an exponential distribution."""

    kind = "exponential"

    def __init__(self, mean: float, *, low: float | None = None, high: float | None = None) -> None:
        super().__init__(mean=mean, low=low, high=high)


class Choice(Distribution):
    """One of several numbers or words, by their weights."""

    kind = "choice"

    def __init__(self, values: Sequence[float] | Sequence[str], weights: Sequence[float] | None = None) -> None:
        super().__init__(values=list(values), weights=None if weights is None else list(weights))

    def sample(self, rng: np.random.Generator, n: int) -> list[Any]:
        """n values, from NumPy's generator."""
        values: list[Any] = self._entries["values"]
        return [values[int(k)] for k in self.quantile(rng.random(n))]


class Table(Distribution):
    """Values that were measured; or ascending values with the probabilities of smaller ones."""

    kind = "table"

    def __init__(self, values: Sequence[float], probabilities: Sequence[float] | None = None) -> None:
        super().__init__(values=list(values), probabilities=None if probabilities is None else list(probabilities))


class SamplingPlan(_Table):
    """Which samples a study drives."""


class Sobol(SamplingPlan):
    """Scrambled Sobol' points, which fill space evenly at powers of 2; replicates are independent scramblings."""

    kind = "sobol"

    def __init__(self, samples: int = 1024, *, scramble: bool | None = None, replicates: int | None = None) -> None:
        super().__init__(samples=samples, scramble=scramble, replicates=replicates)


class Random(SamplingPlan):
    """Independent samples."""

    kind = "random"

    def __init__(self, samples: int = 1000) -> None:
        super().__init__(samples=samples)


class Latin(SamplingPlan):
    """A Latin hypercube."""

    kind = "latin"

    def __init__(self, samples: int = 1000) -> None:
        super().__init__(samples=samples)


class Grid(SamplingPlan):
    """All combinations of `levels` values per input."""

    kind = "grid"

    def __init__(self, levels: int = 3) -> None:
        super().__init__(levels=levels)


class Rows(SamplingPlan):
    """Given samples: rows with a value for each input."""

    kind = "list"

    def __init__(self, rows: Any) -> None:
        super().__init__(rows=[list(row) for row in (rows.tolist() if hasattr(rows, "tolist") else rows)])


class OneAtATime(SamplingPlan):
    """The middle, then each input at its ends."""

    kind = "one_at_a_time"

    def __init__(self) -> None:
        super().__init__()


class Morris(SamplingPlan):
    """Trajectories of elementary effects."""

    kind = "morris"

    def __init__(self, trajectories: int = 20, *, levels: int = 4) -> None:
        super().__init__(trajectories=trajectories, levels=levels)


class Saltelli(SamplingPlan):
    """samples x (inputs + 2) drives that give Sobol' indices; samples is a power of 2."""

    kind = "saltelli"

    def __init__(self, samples: int = 512) -> None:
        super().__init__(samples=samples)


class Factorial(SamplingPlan):
    """All combinations of both ends of all inputs."""

    kind = "factorial"

    def __init__(self) -> None:
        super().__init__()


class CentralComposite(SamplingPlan):
    """Corners, stars and the center, for a quadratic response."""

    kind = "central_composite"

    def __init__(self, center_points: int = 1) -> None:
        super().__init__(center_points=center_points)


class Subset(SamplingPlan):
    """Subset simulation of a rare event, with `samples` per level; the study needs an event."""

    kind = "subset"

    def __init__(self, samples: int = 1000, *, level_probability: float = 0.1, max_levels: int = 10) -> None:
        super().__init__(samples=samples, level_probability=level_probability, max_levels=max_levels)


class Limit(SamplingPlan):
    """Bisection for the value of an input at which drives no longer pass, to `tolerance` in the input's unit."""

    kind = "limit"

    def __init__(self, input: str, tolerance: float, *, repeats: int = 1, required_rate: float = 1.0) -> None:
        super().__init__(input=input, tolerance=tolerance, repeats=repeats, required_rate=required_rate)


def to_table(value: Any, what: str) -> dict[str, Any]:
    """A distribution as a table: objects of this module, (low, high), or a dictionary as in a file."""
    if isinstance(value, SamplingPlan):
        raise Error(f"{what}: must be a distribution, got the plan {value!r}")
    if isinstance(value, _Table):
        return value.table()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return {"kind": "uniform", "low": float(value[0]), "high": float(value[1])}
    raise Error(f"{what}: must be a distribution such as camber.Uniform(low, high), (low, high) or a dictionary, "
                f"got {value!r}")


def plan_table(value: SamplingPlan | Mapping[str, Any]) -> dict[str, Any]:
    """A plan as a table: objects of this module, or a dictionary as in a file."""
    if isinstance(value, SamplingPlan):
        return value.table()
    if isinstance(value, Mapping):
        return dict(value)
    raise Error(f"plan: must be a plan such as camber.Sobol(64), or a dictionary, got {value!r}")
