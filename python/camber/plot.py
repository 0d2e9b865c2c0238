"""Plots by matplotlib. Every function takes ``ax=`` and returns the Axes it drew on."""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, Callable, Iterator, ParamSpec, TypeVar

from camber._errors import Error

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from camber._analysis import Modes, Rig
    from camber._model import Terrain
    from camber._run import Run
    from camber._study import StudyResult

__all__ = ["STYLE", "axes", "modes", "rig", "run", "study_curves", "study_histogram", "study_history", "study_scatter",
           "study_sensitivity", "study_tornado", "style", "terrain", "track"]

STYLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "camber.mplstyle")
"""Path of the style file: ``matplotlib.pyplot.style.use(camber.plot.STYLE)``."""


@contextmanager
def style() -> Iterator[None]:
    """Draws with camber's style inside of a ``with``."""
    import matplotlib.pyplot as plt

    with plt.style.context(STYLE):
        yield


_P = ParamSpec("_P")
_R = TypeVar("_R")


def _styled(draw: Callable[_P, _R]) -> Callable[_P, _R]:
    @wraps(draw)
    def drawn(*arguments: _P.args, **options: _P.kwargs) -> _R:
        with style():
            return draw(*arguments, **options)

    return drawn


def axes(ax: Axes | None = None) -> Axes:
    """The given axes, or new ones in camber's style."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    with style():
        return plt.subplots()[1]


@_styled
def run(data: Run, *channels: str, ax: Axes | None = None) -> Axes:
    """Draws channels over time; "chassis/rates.yaw" is one column. Without names, the track of a drive."""
    if not channels:
        return track(data, ax=ax)
    ax = axes(ax)
    labels: list[str] = []
    for name in channels:
        base, _, column = name.partition(".")
        channel = data[base]
        drawn = {name: channel[column]} if column else channel.columns()
        unit = channel.unit
        if column and len(channel.units) > 1:
            unit = channel.units[channel.names.index(column)]
        for label, values in drawn.items():
            ax.plot(data.time, values, label=label.partition(".")[2] if len(channels) == 1 and not column else label)
        if unit not in labels:
            labels.append(unit)
    ax.set_xlabel("time [s]")
    ax.set_ylabel(f"{channels[0]} [{labels[0]}]" if len(channels) == 1 else f"[{', '.join(labels)}]")
    if len(ax.get_lines()) > 1:
        ax.legend()
    ax.set_title(data.name)
    return ax


@_styled
def track(data: Run, *, ax: Axes | None = None) -> Axes:
    """Draws where the vehicle went, and its driver's path; x and y [m] at the same scale."""
    if "chassis/position" not in data:
        raise Error("plot: the run is not a drive; name the channels to draw: " + ", ".join(data.channels[:10]))
    ax = axes(ax)
    position = data["chassis/position"]
    if "path/target" in data:
        target = data["path/target"]
        ax.plot(target[:, 0], target[:, 1], "--", color="0.6", linewidth=1, label="path")
    ax.plot(position[:, 0], position[:, 1], label="vehicle")
    ax.plot(*position[0, :2], "o", markersize=4, color="0.3")
    ax.set_xlabel("x [m]")
    ax.set_ylabel("y [m]")
    width = float(position[:, 0].max() - position[:, 0].min())
    height = float(position[:, 1].max() - position[:, 1].min())
    if height > 0.15 * width and width > 0.15 * height:
        ax.set_aspect("equal", adjustable="datalim")
    ax.legend()
    ax.set_title(data.name)
    return ax


@_styled
def modes(data: Modes, *, ax: Axes | None = None) -> Axes:
    """Draws eigenvalues: real parts (lines) and imaginary parts (dots) over a swept parameter, or the complex plane."""
    ax = axes(ax)
    if data.data.get("sweep"):
        values, roots = data.sweep
        for k in range(roots.shape[1]):
            line, = ax.plot(values, roots[:, k].real)
            imag = roots[:, k].imag
            if (imag > 0).any():
                ax.plot(values[imag > 0], imag[imag > 0], ".", markersize=2, color=line.get_color())
        ax.axhline(0, color="0.3", linewidth=0.8)
        highest = max(float(roots.imag.max()), float(roots.real.max()))
        if highest > 0 and roots.real.min() < -1.5 * highest:
            ax.set_ylim(bottom=-1.5 * highest)  # far stable roots would flatten the others
        ax.set_xlabel(str(data.data["sweep"]["parameter"]))
        ax.set_ylabel("real (line), imaginary (dots) [1/s]")
    else:
        roots = data.eigenvalues
        stable = roots.real <= 0
        ax.plot(roots[stable].real, roots[stable].imag, "x", label="stable")
        if (~stable).any():
            ax.plot(roots[~stable].real, roots[~stable].imag, "x", color="C1", label="unstable")
            ax.legend()
        ax.axvline(0, color="0.3", linewidth=0.8)
        ax.set_xlabel("real [1/s]")
        ax.set_ylabel("imaginary [rad/s]")
    ax.set_title(str(data.data["model"]))
    return ax


@_styled
def rig(data: Rig, column: str = "camber_deg", *, ax: Axes | None = None, label: str = "") -> Axes:
    """Draws a quantity of all axles over wheel travel [mm]; `label` names the vehicle where several are drawn."""
    ax = axes(ax)
    for name in data.data["axles"]:
        sweep = data[name]
        travel = sweep.columns[0]
        if column not in sweep.columns:
            raise Error(f'rig: there is no "{column}"; there are {", ".join(sweep.columns)}')
        ax.plot(1000 * sweep[travel], sweep[column], label=f"{label} {name}".strip())
    ax.set_xlabel("wheel travel [mm]")
    ax.set_ylabel(_label(column))
    ax.legend()
    ax.set_title(str(data.data["model"]))
    return ax


def _label(column: str) -> str:
    name, _, unit = column.rpartition("_")
    return f"{name.replace('_', ' ')} [{unit.replace('_', '/')}]" if name else column


@_styled
def terrain(data: Terrain, x: tuple[float, float], y: tuple[float, float], *, pixels: int = 200,
            ax: Axes | None = None) -> Axes:
    """Draws heights of the ground in a box of x and y [m]."""
    import numpy as np

    ax = axes(ax)
    xs, ys = np.linspace(*x, pixels), np.linspace(*y, pixels)
    height = data.height(xs[None, :], ys[:, None])
    image: Any = ax.imshow(height, origin="lower", extent=(*x, *y), cmap="gist_earth")
    ax.grid(False)
    ax.figure.colorbar(image, ax=ax, label="height [m]")
    ax.set_xlabel("x [m]")
    ax.set_ylabel("y [m]")
    return ax


def _figure_label(data: StudyResult, name: str) -> str:
    if name in data.figures:
        unit = data.figures[name]
    else:
        unit = next((unit for known, unit, _ in data._data.inputs if known == name), "")
    return f"{name} [{unit or '1'}]"


@_styled
def study_histogram(data: StudyResult, figure: str, *, ax: Axes | None = None) -> Axes:
    """Draws how often a figure of a study has which value."""
    values = data._values(figure)
    if len(values) == 0:
        raise Error(f'plot: no sample has a value of "{figure}"')
    ax = axes(ax)
    ax.hist(values, bins="auto")
    ax.set_xlabel(_figure_label(data, figure))
    ax.set_ylabel("samples [1]")
    ax.set_title(str(data.summary["name"]))
    return ax


@_styled
def study_scatter(data: StudyResult, column: str, figure: str, *, ax: Axes | None = None) -> Axes:
    """Draws a figure of a study over an input or another figure, a dot for each sample."""
    ax = axes(ax)
    ax.plot(data[column], data[figure], ".", markersize=4)
    ax.set_xlabel(_figure_label(data, column))
    ax.set_ylabel(_figure_label(data, figure))
    ax.set_title(str(data.summary["name"]))
    return ax


@_styled
def study_tornado(data: StudyResult, figure: str, *, ax: Axes | None = None) -> Axes:
    """Draws a figure of a study at both ends of each input, largest swing on top."""
    swings = data.sensitivity(figure).tornado[::-1]
    ax = axes(ax)
    places = range(len(swings))
    mean = data.mean(figure).value
    for color, ends, label in (("C0", [low for _, low, _ in swings], "input low"),
                               ("C1", [high for _, _, high in swings], "input high")):
        ax.barh(places, [end - mean for end in ends], left=mean, color=color, label=label, height=0.6)
    ax.axvline(mean, color="0.3", linewidth=0.8)
    ax.set_yticks(list(places), [swing[0] for swing in swings])
    ax.set_xlabel(_figure_label(data, figure))
    ax.legend()
    ax.set_title(str(data.summary["name"]))
    return ax


@_styled
def study_sensitivity(data: StudyResult, figure: str, *, ax: Axes | None = None) -> Axes:
    """Draws Sobol' indices of a figure, first order and total, with their intervals."""
    import numpy as np

    intervals = data.sensitivity(figure).intervals
    ax = axes(ax)
    places = np.arange(len(intervals))
    for which, shift, color in (("first", -0.2, "C0"), ("total", 0.2, "C1")):
        found = [one[which] for one in intervals.values()]
        values = np.array([e.value for e in found])
        below, above = values - [e.low for e in found], np.array([e.high for e in found]) - values
        ax.bar(places + shift, values, 0.38, yerr=np.maximum([below, above], 0), color=color, capsize=3,
               label="alone" if which == "first" else "with others")
    ax.set_xticks(places, list(intervals))
    ax.set_ylabel(f"share of the variance of {figure} [1]")
    ax.legend()
    ax.set_title(str(data.summary["name"]))
    return ax


@_styled
def study_curves(data: StudyResult, name: str, *, ax: Axes | None = None) -> Axes:
    """Draws median and bands of a curve that a study has kept over time."""
    import warnings

    import numpy as np

    times, values = data.curve(name)
    unit = data._data.curve(name)[2]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # moments that no drive has reached
        q05, q25, q50, q75, q95 = np.nanquantile(values.astype(float), [0.05, 0.25, 0.5, 0.75, 0.95], axis=0)
    ax = axes(ax)
    ax.fill_between(times, q05, q95, alpha=0.2, color="C0", linewidth=0, label="5 to 95 %")
    ax.fill_between(times, q25, q75, alpha=0.4, color="C0", linewidth=0, label="25 to 75 %")
    ax.plot(times, q50, color="C0", label="median")
    ax.set_xlabel("time [s]")
    ax.set_ylabel(f"{name} [{unit}]")
    ax.legend()
    ax.set_title(str(data.summary["name"]))
    return ax


@_styled
def study_history(data: StudyResult, *, ax: Axes | None = None) -> Axes:
    """Draws the best cost so far over the generations of an optimization."""
    history = data.found.get("history")
    if history is None:
        raise Error("plot: the study is not an optimization")
    ax = axes(ax)
    ax.plot(range(1, len(history) + 1), [float("nan") if h is None else h for h in history], ".-")
    ax.set_xlabel("generation")
    ax.set_ylabel("best cost [1]")
    ax.set_title(str(data.summary["name"]))
    return ax
