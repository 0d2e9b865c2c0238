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
    from camber._batch import Batch, BatchView
    from camber._commands import Result, command
    from camber._core import Command, Snapshot, State, View, Wheel, __version__
    from camber._drive import Drive, Sensor, Sensors
    from camber._minimize import Minimum, minimize
    from camber._model import (City, Equipment, LagrangianModel, Mechanism, Model, Plan, RollingWheel, Scenario, Scene,
                               Terrain, Tire, Vehicle, key_figures, load, model)
    from camber._run import Comparison, Figure, Run, Series, compare, convert, open, run
    from camber._sampling import (Beta, CentralComposite, Choice, Distribution, Exponential, Factorial, Grid, Latin,
                                 Limit, Lognormal, Morris, Normal, OneAtATime, Random, Rows, Saltelli, SamplingPlan,
                                 Sobol, Subset, Table, Triangular, Uniform, Weibull)
    from camber._share import example
    from camber._study import Estimate, Sample, Sensitivity, Study, StudyResult, open_study

# Where names live. Modules are imported when they are used: `import camber` itself takes a few milliseconds.
_HOMES = {
    "_batch": ("Batch", "BatchView"),
    "_commands": ("Result", "command"),
    "_core": ("Command", "Snapshot", "State", "View", "Wheel", "__version__"),
    "_drive": ("Drive", "Sensor", "Sensors"),
    "_minimize": ("Minimum", "minimize"),
    "_model": ("City", "Equipment", "LagrangianModel", "Mechanism", "Model", "Plan", "RollingWheel", "Scenario", "Scene",
               "Terrain", "Tire", "Vehicle", "key_figures", "load", "model"),
    "_run": ("Comparison", "Figure", "Run", "Series", "compare", "convert", "open", "run"),
    "_sampling": ("Beta", "CentralComposite", "Choice", "Distribution", "Exponential", "Factorial", "Grid", "Latin",
                  "Limit", "Lognormal", "Morris", "Normal", "OneAtATime", "Random", "Rows", "Saltelli",
                  "SamplingPlan", "Sobol", "Subset", "Table", "Triangular", "Uniform", "Weibull"),
    "_share": ("example",),
    "_study": ("Estimate", "Sample", "Sensitivity", "Study", "StudyResult", "open_study"),
    "": ("gym", "lagrange", "plot", "symbolic"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["Batch", "BatchView", "Beta", "CentralComposite", "Choice", "City", "Command", "Comparison",
           "Distribution", "Drive", "Equipment", "Error", "Estimate", "Exponential", "Factorial", "Figure", "Grid",
           "LagrangianModel", "Latin", "Limit", "Lognormal", "Mechanism", "Minimum", "Mistake", "Model", "Morris",
           "Normal", "OneAtATime", "Plan", "Random", "Result", "RollingWheel", "Rows", "Run", "Saltelli", "Sample",
           "SamplingPlan", "Scenario", "Scene", "Sensitivity", "Sensor", "Sensors", "Series", "Snapshot", "Sobol",
           "State", "Study", "StudyResult", "Subset", "Table", "Terrain", "Tire", "Triangular", "Uniform",
           "UnknownName", "Vehicle", "View", "Weibull", "Wheel", "__version__", "command", "compare", "convert",
           "example", "gym", "key_figures", "lagrange", "load", "minimize", "model", "open", "open_study", "plot",
           "run", "symbolic"]


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
