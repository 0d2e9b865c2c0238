"""The rig, modes and linear models."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Sequence

from camber import _core
from camber._errors import Error, unknown_name

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from matplotlib.axes import Axes

    PathLike = str | os.PathLike[str]


class _Analysis:
    """What an analysis found: a dictionary in the shape of --json, text, and a page."""

    def __init__(self, found: tuple[str, str, str]) -> None:
        self.data: dict[str, Any] = json.loads(found[0])
        self._text = found[1]
        self._page = found[2]

    def table(self) -> str:
        """The tables that the program prints."""
        return self._text

    def report(self, path: PathLike) -> None:
        """Writes a page that needs nothing beside it."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._page)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.data.get('name', self.data.get('model', ''))!r})"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self._text)}</pre>"


class RigSweep:
    """Positions of the rig, one array for each quantity: ``sweep["camber_deg"]``; names carry their units."""

    def __init__(self, name: str, columns: Mapping[str, Any]) -> None:
        self.name = name
        self._columns = columns

    @property
    def columns(self) -> list[str]:
        """Names of the quantities."""
        return list(self._columns)

    def __getitem__(self, column: str) -> npt.NDArray[np.float64]:
        import numpy as np

        if column not in self._columns:
            raise unknown_name(f"column of {self.name}", column, list(self._columns))
        values = np.array([np.nan if x is None else x for x in self._columns[column]], dtype=float)
        values.flags.writeable = False
        return values

    def __getattr__(self, column: str) -> npt.NDArray[np.float64]:
        if column.startswith("_") or column not in self._columns:
            raise AttributeError(column)
        return self[column]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._columns]

    def __repr__(self) -> str:
        return f"RigSweep({self.name!r}, {self.columns})"


class Rig(_Analysis):
    """A vehicle on the rig. ``rig["front"]["camber_deg"]`` over ``rig["front"]["travel_m"]``."""

    @property
    def sweeps(self) -> dict[str, RigSweep]:
        """By name: "front" (both wheels), "front_roll" (one up, one down), "steering"."""
        result: dict[str, RigSweep] = {}
        for axle, found in self.data["axles"].items():
            for key, name in (("parallel", axle), ("opposed", axle + "_roll")):
                if found.get(key):
                    result[name] = RigSweep(name, found[key])
        if self.data.get("steering"):
            result["steering"] = RigSweep("steering", self.data["steering"])
        return result

    def __getitem__(self, name: str) -> RigSweep:
        sweeps = self.sweeps
        if name not in sweeps:
            raise unknown_name("sweep", name, list(sweeps))
        return sweeps[name]

    @property
    def notes(self) -> list[str]:
        """Where a range was cut, a stop passed."""
        return list(self.data.get("notes", []))

    def plot(self, column: str = "camber_deg", *, ax: Axes | None = None, label: str = "") -> Axes:
        """Draws a quantity of all axles over wheel travel; `label` names the vehicle where several are drawn."""
        from camber import plot

        return plot.rig(self, column, ax=ax, label=label)


def rig(source: _core.Source, travel: Sequence[float] | None, steer: Sequence[float] | None, radius: float | None,
        reference: PathLike | None) -> Rig:
    """See Vehicle.rig()."""
    return Rig(_core.run_rig(source, None if travel is None else [float(x) for x in travel],
                             None if steer is None else [float(x) for x in steer], radius,
                             os.fspath(reference) if reference else ""))


class LinearModel(NamedTuple):
    """x' = A x + B u, y = C x + D u. E is the matrix of E x' = A0 x + B0 u that was solved for it."""

    A: npt.NDArray[np.float64]
    B: npt.NDArray[np.float64]
    C: npt.NDArray[np.float64]
    D: npt.NDArray[np.float64]
    states: list[str]
    inputs: list[str]
    outputs: list[str]
    E: npt.NDArray[np.float64]

    def eigenvalues(self) -> npt.NDArray[np.complex128]:
        """Of A [1/s], by real part."""
        import numpy as np

        values: npt.NDArray[np.complex128] = np.linalg.eigvals(self.A).astype(complex)
        ordered: npt.NDArray[np.complex128] = values[np.lexsort((values.imag, values.real))]
        return ordered


def linearize(source: _core.Source, speed: float | None = None, lateral_acceleration: float | None = None,
              radius: float | None = None) -> LinearModel:
    """See LagrangianModel.linearize() and Scenario.linearize()."""
    import numpy as np

    found = _core.linearize(source, speed, lateral_acceleration, radius)
    E = found["E"]
    if np.linalg.matrix_rank(E) < len(E):
        raise Error("linearize: the model has algebraic equations, so that x' = A x + B u does not exist; modes() takes "
                    "them as they are")
    A, B = np.linalg.solve(E, found["A"]), np.linalg.solve(E, found["B"])
    return LinearModel(A, B, found["C"], found["D"], found["states"], found["inputs"], found["outputs"], E)


class Modes(_Analysis):
    """Eigenvalues of a linear model, how they change with a parameter, frequency responses."""

    @property
    def notes(self) -> list[str]:
        """Where it was linearized, and what was left out."""
        return list(self.data.get("notes", []))

    @property
    def eigenvalues(self) -> npt.NDArray[np.complex128]:
        """Of all modes [1/s], by real part."""
        import numpy as np

        return np.array([complex(*root) for root in self.data["eigenvalues"]], dtype=complex)

    @property
    def frequencies(self) -> npt.NDArray[np.float64]:
        """Damped frequencies [Hz], in the order of eigenvalues."""
        import numpy as np

        return np.abs(self.eigenvalues.imag) / (2 * np.pi)

    @property
    def stable(self) -> bool:
        """Whether no eigenvalue has a positive real part beyond rounding."""
        return all(mode.get("stability") != "unstable" for mode in self.data["modes"])

    @property
    def sweep(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.complex128]]:
        """Values of the parameter that was swept, and eigenvalues [1/s] (values, modes); in the order of branches."""
        import numpy as np

        found = self.data.get("sweep")
        if not found:
            raise Error('modes: there is no sweep; ask for one: modes(sweep={"V": (1, 60, 0.5)})')
        branches = [[complex(*root) for root in branch] for branch in found["branches"]]
        return np.array(found["values"]), np.array(branches).T

    @property
    def A(self) -> npt.NDArray[np.float64]:
        """x' = A x of a mechanism; scenarios and Lagrangian models have linearize()."""
        import numpy as np

        if "A" not in self.data:
            raise Error("modes: scenarios and Lagrangian models have linearize(), which returns A, B, C and D")
        return np.array(self.data["A"])

    @property
    def states(self) -> list[str]:
        """Names of the states."""
        return list(self.data["states"])

    @property
    def steady_state(self) -> dict[str, Any]:
        """Of a scenario: gear, inputs, outputs and states of the motion that it is linearized about; else empty."""
        return dict(self.data.get("steady_state", {}))

    @property
    def responses(self) -> tuple[npt.NDArray[np.float64], dict[str, npt.NDArray[np.complex128]]]:
        """Frequencies [Hz], and the response of each output to the input, as complex numbers."""
        import numpy as np

        found = self.data.get("frf")
        if not found:
            raise Error('modes: there are no responses; ask for them: modes(response=("tau", ["delta"]))')
        return (np.array(found["frequency_hz"]),
                {name: np.array([complex(*x) for x in values]) for name, values in found["outputs"].items()})

    @property
    def limits(self) -> list[dict[str, Any]]:
        """Where a mode becomes stable or unstable along the sweep."""
        return list(self.data.get("sweep", {}).get("stability_limits", []))

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draws the eigenvalues: over the swept parameter, or in the complex plane."""
        from camber import plot

        return plot.modes(self, ax=ax)


def modes(source: _core.Source, *, equilibrium: bool = False, standing: bool = False,
          sweep: Mapping[str, Sequence[float]] | None = None, response: tuple[str, Sequence[str]] | None = None,
          frequencies: Sequence[float] | None = None, speed: float | None = None,
          lateral_acceleration: float | None = None, radius: float | None = None) -> Modes:
    """See LagrangianModel.modes(), Mechanism.modes() and Scenario.modes()."""
    wanted, asked, at = modes_request(sweep, response, frequencies)
    return Modes(_core.run_modes(source, equilibrium, standing, wanted, asked, at, speed, lateral_acceleration, radius))


def modes_request(sweep: Mapping[str, Sequence[float]] | None, response: tuple[str, Sequence[str]] | None,
                  frequencies: Sequence[float] | None) -> tuple[Any, Any, list[float]]:
    """What the analysis of modes takes: (parameter, values), (input, outputs), frequencies [Hz]."""
    wanted: tuple[str, list[float]] | None = None
    if sweep is not None:
        if len(sweep) != 1:
            raise Error("modes: sweep takes one parameter: {name: (first, last, step)} or {name: values}")
        name, values = next(iter(sweep.items()))
        wanted = (name, _stepped([float(x) for x in values]))
    asked = None if response is None else (response[0], list(response[1]))
    if asked is not None and frequencies is None:
        frequencies = [0.1 * (200 ** (i / 199)) for i in range(200)]
    return wanted, asked, [float(f) for f in ([] if frequencies is None else frequencies)]


def _stepped(values: list[float]) -> list[float]:
    """(first, last, step) as first, first + step, ...; other lists as they are."""
    if len(values) != 3 or not values[0] < values[1] or values[2] > values[1] - values[0] or values[2] <= 0:
        return values
    first, last, step = values
    count = int((last - first) / step + 1e-9) + 1
    if count > 100_000:
        raise Error(f"modes: sweep: {count} values, at most 100000")
    return [first + i * step for i in range(count)]
