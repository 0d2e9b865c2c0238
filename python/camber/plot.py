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

__all__ = ["STYLE", "axes", "modes", "rig", "run", "style", "terrain", "track"]

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
def rig(data: Rig, column: str = "camber_deg", *, ax: Axes | None = None) -> Axes:
    """Draws a quantity of all axles over wheel travel [mm]."""
    ax = axes(ax)
    for name in data.data["axles"]:
        sweep = data[name]
        travel = sweep.columns[0]
        if column not in sweep.columns:
            raise Error(f'rig: there is no "{column}"; there are {", ".join(sweep.columns)}')
        ax.plot(1000 * sweep[travel], sweep[column], label=name)
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
