"""camber: ground-vehicle dynamics.

    import camber

    lane = camber.load("scenarios/double-lane-change.toml")
    lane["ground.friction"] = 0.5
    run = lane.run()
    run.figures["peak_yaw_rate"]

The words are those of the files and of the program `camber`; units are SI and radians unless a name says otherwise
(``_deg``). Everything is described in docs/manual/python.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from camber._errors import Error, Mistake, UnknownName

if TYPE_CHECKING:
    from camber import gym, lagrange, plot, symbolic
    from camber._batch import Batch, BatchView, Normal, Uniform
    from camber._commands import Result, command
    from camber._core import Command, Snapshot, State, View, Wheel, __version__
    from camber._drive import Drive, Sensor, Sensors
    from camber._model import (City, Equipment, LagrangianModel, Mechanism, Model, Plan, RollingWheel, Scenario, Scene,
                               Terrain, Tire, Vehicle, key_figures, load, model)
    from camber._run import Comparison, Figure, Run, Series, compare, open, run

# Where names live. Modules are imported when they are used: `import camber` itself takes a few milliseconds.
_HOMES = {
    "_batch": ("Batch", "BatchView", "Normal", "Uniform"),
    "_commands": ("Result", "command"),
    "_core": ("Command", "Snapshot", "State", "View", "Wheel", "__version__"),
    "_drive": ("Drive", "Sensor", "Sensors"),
    "_model": ("City", "Equipment", "LagrangianModel", "Mechanism", "Model", "Plan", "RollingWheel", "Scenario", "Scene",
               "Terrain", "Tire", "Vehicle", "key_figures", "load", "model"),
    "_run": ("Comparison", "Figure", "Run", "Series", "compare", "open", "run"),
    "": ("gym", "lagrange", "plot", "symbolic"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["Batch", "BatchView", "City", "Command", "Comparison", "Drive", "Equipment", "Error", "Figure",
           "LagrangianModel", "Mechanism", "Mistake", "Model", "Normal", "Plan", "Result", "RollingWheel", "Run", "Scenario",
           "Scene", "Sensor", "Sensors", "Series", "Snapshot", "State", "Terrain", "Tire", "Uniform", "UnknownName",
           "Vehicle", "View", "Wheel", "__version__", "command", "compare", "gym", "key_figures", "lagrange", "load",
           "model", "open", "plot", "run", "symbolic"]


def __getattr__(name: str) -> Any:
    import importlib

    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'camber' has no attribute {name!r}")
    module = importlib.import_module(f"camber.{home or name}")
    value = getattr(module, name) if home else module
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
