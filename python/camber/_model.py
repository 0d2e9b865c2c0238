"""Models of all kinds: files, or dictionaries of the same shape."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator, Mapping, NamedTuple, Sequence

from camber import _core, _toml
from camber._errors import Error, unknown_name
from camber._run import Run

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from camber._analysis import LinearModel, Modes, Rig
    from camber._drive import Drive
    from camber._mechanism import Dynamics

    PathLike = str | os.PathLike[str]
    Settings = Mapping[str, Any] | Sequence[str]


class CheckResult(dict[str, Any]):
    """What ``camber check --json`` prints: kind, diagnostics, notes, and what the model is made of."""

    @property
    def ok(self) -> bool:
        """Whether the model has no mistake."""
        return bool(self["ok"])


def assignments(settings: Settings | None) -> list[str]:
    """Assignments as after --set, from a dictionary {key: value} or a list of texts."""
    if settings is None:
        return []
    if isinstance(settings, str):
        return [settings]
    if isinstance(settings, Mapping):
        return [f"{key}={_toml.write_value(value)}" for key, value in settings.items()]
    return list(settings)


class Model:
    """A file, or a dictionary of the same shape, with values that were set since.

    ``model["vehicle.start.speed"]`` reads a key, ``model["vehicle.start.speed"] = 20`` sets it as --set does, and
    ``model["vehicle:chassis.mass"]`` is a key of a file that a scenario names. Mistakes raise camber.Error at once.
    """

    kind = ""

    def __init__(self, path: PathLike, *, set: Settings | None = None, text: str | None = None) -> None:
        self._path = os.fspath(path)
        self._text = text
        self._sets: list[str] = []
        if set is not None:
            self.update(set)
        elif text is not None:
            _core.validate(self._source(), self._shared_parts())

    def _shared_parts(self) -> _core.FreshParts:
        """What was read to check the model, for its runs."""
        kept: _core.FreshParts = self.__dict__.setdefault("_kept_parts", _core.FreshParts())
        return kept

    def _source(self, more: Sequence[str] = ()) -> _core.Source:
        return _core.Source(self._path, self._text, [*self._sets, *more])

    @property
    def path(self) -> str:
        """The file, or the name under which messages show a model in memory."""
        return self._path

    @property
    def text(self) -> str:
        """The text of the file, without what was set."""
        return _core.text_of(_core.Source(self._path, self._text, []))

    @property
    def settings(self) -> list[str]:
        """What was set, as assignments of --set."""
        return list(self._sets)

    # --- The tree ---

    def update(self, settings: Settings) -> None:
        """Sets several keys at once, which only have to fit together."""
        more = assignments(settings)
        _core.validate(self._source(more), self._shared_parts())
        self._sets.extend(more)

    def __setitem__(self, key: str, value: Any) -> None:
        self.update({key: value})

    def __getitem__(self, key: str) -> Any:
        if not isinstance(key, str):
            raise TypeError(f"a key is a text, such as \"run.duration\", got {type(key).__name__}")
        part, _, rest = key.rpartition(":")
        tree = self._part_tree(part)
        try:
            return _toml.find(tree, rest)
        except KeyError:
            raise unknown_name("key", key, [f"{part}:{k}" if part else k for k in _leaf_keys(tree)]) from None

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, or `default` if the file does not give it."""
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key: str) -> bool:
        try:
            self[key]
        except KeyError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(_leaf_keys(self.tree))

    @property
    def tree(self) -> dict[str, Any]:
        """The file as a dictionary, with what was set in it."""
        return self._part_tree("")

    def _part_tree(self, part: str) -> dict[str, Any]:
        path, text = self._find_part(part)
        if text is None:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        tree = _toml.parse(text, path)
        for assignment in self._sets:
            key, _, value = assignment.partition("=")
            of, _, name = key.rpartition(":")
            if of.strip() == part:
                _toml.put(tree, name.strip(), _toml.read_assignment_value(value))
        return tree

    def _find_part(self, part: str) -> tuple[str, str | None]:
        if part:
            raise unknown_name("part", part, [])
        return self._path, self._text

    def copy(self) -> Model:
        """An independent copy with the same settings."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._sets = list(self._sets)
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_kept")}

    def with_(self, settings: Settings) -> Model:
        """A copy with further settings; the model itself stays as it is."""
        other = self.copy()
        other.update(settings)
        return other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and (self._path, self._text, self._sets) == (
            other._path, other._text, other._sets)

    def __hash__(self) -> int:
        return hash((self._path, self._text))

    # --- What every model can do ---

    def check(self) -> CheckResult:
        """Checks the model in full, as ``camber check`` does. Mistakes are in the result."""
        import json

        return CheckResult(json.loads(_core.check(self._source())))

    def run(self, duration: float | None = None, *, log: PathLike | None = None, formulation: str | None = None,
            method: str | None = None, step: float | None = None, sample: float | None = None,
            tolerance: float | None = None, stabilization: str | None = None, standing: bool = False) -> Run:
        """Runs the model as ``camber run`` does.

        duration [s] is needed where a file does not give it. ``log`` is a new folder for log.h5, summary.json and
        report.html; without it the run is in memory alone. step and sample are in s.
        """
        data, notes = _core.run_model(self._source(), os.fspath(log) if log else "", duration, formulation or "",
                                      method or "", step, sample, tolerance, stabilization or "", standing)
        return Run(data, notes)

    def __repr__(self) -> str:
        sets = f", set={self._sets}" if self._sets else ""
        return f"{type(self).__name__}({self._path!r}{sets})"

    def __str__(self) -> str:
        return _toml.write_toml(self.tree)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<b>{escape(repr(self))}</b><pre>{escape(str(self))}</pre>"


def _leaf_keys(tree: Any, prefix: str = "") -> list[str]:
    if isinstance(tree, dict):
        return [leaf for key, value in tree.items()
                for leaf in _leaf_keys(value, f"{prefix}.{key}" if prefix else str(key))]
    if isinstance(tree, list) and tree and all(isinstance(v, dict) for v in tree):
        return [leaf for i, value in enumerate(tree) for leaf in _leaf_keys(value, f"{prefix}[{i}]")]
    return [prefix]


class Scenario(Model):
    """A drive: vehicle, ground, driver, duration, key figures (docs/manual/scenarios.md)."""

    kind = "scenario"
    _PARTS = {"vehicle": "vehicle.model", "equipment": "vehicle.equipment", "tire": "tire.file",
              "terrain": "ground.terrain", "city": "ground.city"}

    def _find_part(self, part: str) -> tuple[str, str | None]:
        if not part:
            return self._path, self._text
        if part not in self._PARTS:
            raise unknown_name("part", part, list(self._PARTS))
        name = self.get(self._PARTS[part])
        if name is not None:
            return os.path.join(os.path.dirname(self._path), str(name)), None
        vehicle, _ = self._find_part("vehicle")
        inner = {"equipment": "equipment", "tire": "tire"}.get(part)
        name = self.get(f"vehicle:{inner}") if inner else None
        if not isinstance(name, str):
            raise Error(f'{self._path}: names no file for the part "{part}"', [(self._path, 0, 0, self._PARTS[part],
                                                                               "is not given", False)])
        return os.path.join(os.path.dirname(vehicle), name), None

    def run(self, duration: float | None = None, *, log: PathLike | None = None, formulation: str | None = None,
            method: str | None = None, step: float | None = None, sample: float | None = None,
            tolerance: float | None = None, stabilization: str | None = None, standing: bool = False) -> Run:
        """Runs the drive to its end, to the same bits as ``camber run``.

        ``log`` is a new folder for log.h5, summary.json and report.html; without it the run is in memory alone.
        duration, step and sample are in s.
        """
        if tolerance is not None or stabilization is not None or standing:
            raise Error(f"{self._path} is a scenario: tolerance, stabilization and standing are for other models")
        wishes = {"run.step": step, "run.sample_interval": sample, "run.method": method,
                  "vehicle.formulation": formulation}
        more = assignments({key: value for key, value in wishes.items() if value is not None})
        return Run(_core.run_scenario(self._source(more), os.fspath(log) if log else "", duration, None,
                                      self._shared_parts()))

    def drive(self, *, record: bool = False) -> Drive:
        """The drive, to be stepped with a controller of one's own."""
        from camber._drive import Drive

        return Drive(self, record=record)

    def linearize(self, *, speed: float | None = None, lateral_acceleration: float | None = None,
                  radius: float | None = None) -> LinearModel:
        """x' = A x + B u, y = C x + D u of the vehicle about a steady state on level ground.

        speed [m/s] is that of the scenario's start unless it is given; lateral_acceleration [m/s^2] or radius [m]
        make it a turn, to the left if positive. Inputs are the steering wheel's angle [rad], throttle and brake.
        """
        from camber._analysis import linearize

        return linearize(self._source(), speed, lateral_acceleration, radius)

    def modes(self, *, speed: float | None = None, lateral_acceleration: float | None = None, radius: float | None = None,
              sweep: Mapping[str, Sequence[float]] | None = None, response: tuple[str, Sequence[str]] | None = None,
              frequencies: Sequence[float] | None = None) -> Modes:
        """Eigenvalues of the vehicle about a steady state, as for linearize(); speed=0: at rest.

        sweep={"speed": (10, 40, 5)} follows them over speed [m/s];
        response=("steering_wheel_angle", ["yaw_rate"]) adds frequency responses at `frequencies` [Hz].
        """
        from camber._analysis import modes

        return modes(self._source(), sweep=sweep, response=response, frequencies=frequencies, speed=speed,
                     lateral_acceleration=lateral_acceleration, radius=radius)

    def use(self, part: str, model: Model | Mapping[str, Any]) -> None:
        """Replaces a file that the scenario names ("vehicle", "tire", "terrain", ...) by a model in memory.

        The model's text is kept in a file of a private folder, which lives as long as this scenario.
        """
        if part not in self._PARTS:
            raise unknown_name("part", part, list(self._PARTS))
        source = model if isinstance(model, Model) else globals()["model"](model)
        path = self._keep_file(f"{part}.toml", source.tree, source.path)
        self[self._PARTS[part]] = os.path.relpath(path, os.path.dirname(os.path.abspath(self._path)))

    def _keep_file(self, name: str, tree: dict[str, Any], path: str) -> str:
        """Writes a tree that lies at `path` to a file of the private folder, which copies of this scenario share: each
        content has a folder of its own there."""
        import hashlib

        private: _PrivateFolder = self.__dict__.setdefault("_private", _PrivateFolder())
        place = os.path.dirname(os.path.abspath(path))
        folder = hashlib.sha256(f"{place}\n{_toml.write_toml(tree)}".encode()).hexdigest()[:12]
        moved = _with_moved_files(tree, place, private.path(folder))
        return private.write(os.path.join(folder, name), _toml.write_toml(moved))

    def _file(self) -> str:
        """Its file; of a scenario in memory, one in the private folder."""
        if self._text is None:
            return self._path
        return self._keep_file(os.path.basename(self._path), _toml.parse(self._text, self._path), self._path)

    def _file_settings(self) -> list[str]:
        """What was set, for the file that _file() gives: names of files are relative to its folder."""
        if self._text is None:
            return self.settings
        target = os.path.dirname(self._file())
        moved: list[str] = []
        for assignment in self._sets:
            key, _, text = assignment.partition("=")
            value = _toml.read_assignment_value(text)
            there = _with_moved_files(value, os.path.dirname(os.path.abspath(self._path)), target)
            moved.append(assignment if ":" in key or there == value else f"{key}={_toml.write_value(there)}")
        return moved


def _with_moved_files(tree: Any, folder: str, target: str) -> Any:
    """A tree that moves to another folder: names of files are relative to that one."""
    if isinstance(tree, dict):
        return {key: _with_moved_files(value, folder, target) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_with_moved_files(value, folder, target) for value in tree]
    if isinstance(tree, str) and os.path.splitext(tree)[1] and os.path.isfile(os.path.join(folder, tree)):
        return os.path.relpath(os.path.join(folder, tree), target)
    return tree


class _PrivateFolder:
    """A folder that is deleted with the last object that uses it. Pickled with its files, which come back under the same
    names if they are gone."""

    def __init__(self) -> None:
        import tempfile

        self._own(tempfile.mkdtemp(prefix="camber-"))

    def _own(self, folder: str) -> None:
        import shutil
        import weakref

        self._folder = folder
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    def __getstate__(self) -> tuple[str, dict[str, str]]:
        texts: dict[str, str] = {}
        for place, _, names in os.walk(self._folder):
            for path in (os.path.join(place, name) for name in names if name.endswith(".toml")):
                with open(path, encoding="utf-8") as file:
                    texts[os.path.relpath(path, self._folder)] = file.read()
        return self._folder, texts

    def __setstate__(self, state: tuple[str, dict[str, str]]) -> None:
        folder, texts = state
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            self._folder = folder  # of this object's origin, which deletes it
            return
        self._own(folder)
        for name, text in texts.items():
            self.write(name, text)

    def __deepcopy__(self, _: Any) -> _PrivateFolder:
        return self

    def path(self, name: str = "") -> str:
        return os.path.join(self._folder, name) if name else self._folder

    def write(self, name: str, text: str) -> str:
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


class Mechanism(Model):
    """Bodies, joints, loops and forces (docs/manual/mechanism-files.md); a robot in URDF is one, too."""

    kind = "mechanism"

    def dynamics(self, method: str = "ce", *, standing: bool = False) -> Dynamics:
        """The equations of motion in one formulation: "ce", "ta", "fa", "uk" or, for vehicles, "generated"."""
        from camber._mechanism import Dynamics

        return Dynamics(self, method, standing=standing)

    def accelerations(self, q: npt.ArrayLike, v: npt.ArrayLike, *, t: float = 0.0,
                      method: str = "ce") -> npt.NDArray[np.float64]:
        """Accelerations v' of one state (nq), (nv) or of a batch (n, nq), (n, nv); SI units."""
        return self._dynamics_of(method).accelerations(q, v, t=t)

    def mass_matrix(self, q: npt.ArrayLike, *, t: float = 0.0) -> npt.NDArray[np.float64]:
        """Mass matrix of the joint coordinates, (nv, nv) or (n, nv, nv), loops cut; SI units."""
        return self._dynamics_of("ce").mass_matrix(q, t=t)

    def bias(self, q: npt.ArrayLike, v: npt.ArrayLike, *, t: float = 0.0) -> npt.NDArray[np.float64]:
        """h(q, v) in M v' + h = 0 of the joint coordinates: gyroscopic terms and all forces, loops cut; SI units."""
        return self._dynamics_of("ce").bias(q, v, t=t)

    def jacobian(self, q: npt.ArrayLike, v: npt.ArrayLike, *, t: float = 0.0,
                 method: str = "ce") -> npt.NDArray[np.float64]:
        """dv'/d[q; v], (nv, nq + nv) or a batch of them, exact by dual numbers."""
        return self._dynamics_of(method).jacobian(q, v, t=t)

    def _dynamics_of(self, method: str) -> Dynamics:
        kept: dict[Any, Dynamics] = self.__dict__.setdefault("_kept_dynamics", {})
        key = (method, tuple(self._sets))
        if key not in kept:
            kept[key] = self.dynamics(method)
        return kept[key]

    def copy(self) -> Model:
        other = super().copy()
        other.__dict__.pop("_kept_dynamics", None)
        return other

    def modes(self, *, equilibrium: bool = False, standing: bool = False) -> Modes:
        """Eigenvalues at the initial state, or where the mechanism comes to rest."""
        from camber._analysis import modes

        return modes(self._source(), equilibrium=equilibrium, standing=standing)

    def generate(self, language: str = "c++", path: PathLike | None = None) -> str:
        """Its accelerations as straight-line C++; also written to `path` if there is one."""
        if language not in ("c++", "cpp"):
            raise Error(f'generate: language "{language}" is not one of c++; derive() writes C and Fortran')
        text, _ = _core.generate(self._source())
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return text


class Vehicle(Mechanism):
    """A vehicle: chassis, axles, steering, wheels (docs/manual/vehicles.md)."""

    kind = "vehicle"

    def rig(self, *, travel: Sequence[float] | None = None, steer: Sequence[float] | None = None,
            radius: float | None = None, reference: PathLike | None = None) -> Rig:
        """Moves the wheels, chassis held: camber, toe, roll center, rates.

        travel is (first, last) or (first, last, step) [m]; steer is the same for the pitman arm [deg] or the rack
        [mm]; radius is that of the loaded wheels [m]; reference is a table (CSV) to compare with.
        """
        from camber._analysis import rig

        return rig(self._source(), travel, steer, radius, reference)


class LagrangianModel(Model):
    """Equations that are derived from frames, bodies and forces (docs/manual/lagrangian-models.md)."""

    kind = "lagrangian"

    def derive(self, *, method: str = "momentum", linear: bool = False, notation: str = "text",
               code: str | None = None) -> Derivation:
        """Derives the equations of motion, as ``camber derive`` does."""
        import json

        found, text, source = _core.derive(self._source(), method, linear, notation, code or "")
        return Derivation(json.loads(found), text, source or None)

    def linearize(self, **parameters: float) -> LinearModel:
        """x' = A x + B u, y = C x + D u about the motion that the file gives, for values of parameters."""
        from camber._analysis import linearize

        return linearize(self._source([f"parameters.{k}={_toml.write_value(v)}" for k, v in parameters.items()]))

    def modes(self, *, sweep: Mapping[str, Sequence[float]] | None = None, response: tuple[str, Sequence[str]] | None = None,
              frequencies: Sequence[float] | None = None, **parameters: float) -> Modes:
        """Eigenvalues; with sweep={"V": (first, last, step)} how they change with a parameter.

        response=("tau", ["delta"]) adds frequency responses at `frequencies` [Hz].
        """
        from camber._analysis import modes

        more = [f"parameters.{k}={_toml.write_value(v)}" for k, v in parameters.items()]
        return modes(self._source(more), sweep=sweep, response=response, frequencies=frequencies)


class Derivation(NamedTuple):
    """Equations of motion as people read them."""

    data: dict[str, Any]  # as `camber derive --json` prints them
    text: str  # in the notation that was asked for
    code: str | None  # in the language that was asked for

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self.text)}</pre>"


class RollingWheel(Model):
    """A rolling wheel under one of four contact laws (docs/manual/rolling-wheel.md)."""

    kind = "rolling_wheel"


class Terrain(Model):
    """Ground: heights, friction, soil (docs/manual/terrain.md)."""

    kind = "terrain"

    def _ground(self) -> _core.Ground:
        key = tuple(self._sets)
        kept = self.__dict__.get("_kept_ground")
        if kept is None or kept[0] != key:
            kept = (key, _core.Ground(self._source()))
            self.__dict__["_kept_ground"] = kept
        ground: _core.Ground = kept[1]
        return ground

    def height(self, x: npt.ArrayLike, y: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Heights [m] at x, y [m], in the shape of x and y together."""
        return self.query(x, y).height

    def query(self, x: npt.ArrayLike, y: npt.ArrayLike) -> GroundPoints:
        """Height, normal, curvature, friction and soil at x, y [m], in the shape of x and y together."""
        import numpy as np

        from camber._arrays import broadcast

        xs, ys = broadcast("query", ("x", "y"), (x, y))
        shape = xs.shape
        found = self._ground().query(np.ascontiguousarray(xs).ravel(), np.ascontiguousarray(ys).ravel())
        height, normal, curvature, friction, soil, inside = found
        return GroundPoints(height.reshape(shape), normal.reshape(*shape, 3), curvature.reshape(shape),
                            friction.reshape(shape), soil.reshape(shape), inside.reshape(shape))

    @property
    def soils(self) -> list[str]:
        """Names of the soils, in the order of their numbers."""
        return self._ground().soils

    def obstacles(self, x0: float, y0: float, x1: float, y1: float) -> npt.NDArray[np.float64]:
        """Trees and posts in a box [m]: rows of x, y, radius [m]."""
        return self._ground().obstacles(x0, y0, x1, y1)


class GroundPoints(NamedTuple):
    """The ground at several points."""

    height: npt.NDArray[np.float64]  # [m]
    normal: npt.NDArray[np.float64]  # unit, up
    mean_curvature: npt.NDArray[np.float64]  # [1/m], positive in a hollow
    friction: npt.NDArray[np.float64]  # factor on the friction of tires
    soil: npt.NDArray[np.int32]  # number in Terrain.soils
    inside: npt.NDArray[np.bool_]  # whether the surface is defined there


class Tire(Model):
    """A tire (docs/manual/models.md)."""

    kind = "tire"


class Equipment(Model):
    """Driveline, brakes and steering of a vehicle (docs/manual/equipment.md)."""

    kind = "equipment"


class Scene(Model):
    """What sensors see (docs/manual/sensors.md)."""

    kind = "scene"


class City(Model):
    """A town (docs/manual/city.md)."""

    kind = "city"


class Plan(Model):
    """A planning problem (docs/manual/plan.md)."""

    kind = "plan"


_KINDS: dict[str, type[Model]] = {c.kind: c for c in (Scenario, Mechanism, Vehicle, LagrangianModel, RollingWheel,
                                                      Terrain, Tire, Equipment, Scene, City, Plan)}
_KINDS["urdf"] = Mechanism


def _class_of(kind: str, path: str) -> type[Model]:
    if kind not in _KINDS:
        # The same message as the program's, with its place.
        raise Error(f"{path}: kind: " + (f'there is no kind "{kind}"' if kind else "missing")
                    + f"; it is one of {', '.join(k for k in _KINDS if k != 'urdf')}, study")
    return _KINDS[kind]


def load(path: PathLike, set: Settings | None = None) -> Any:
    """Opens a file: a Scenario, Vehicle, Mechanism, LagrangianModel, Terrain, ... by its kind.

    ``set`` is a dictionary or a list of assignments, as after --set. Mistakes raise camber.Error with file, line and key.
    """
    name = os.fspath(path)
    kind = _core.kind_of(_core.Source(name, None, []))
    if kind == "study":
        from camber._study import Study

        return Study(name, set=set)
    made = _class_of(kind, name)(name)
    _core.validate(made._source(), made._shared_parts())
    if set is not None:
        made.update(set)
    return made


def model(tree: Mapping[str, Any] | str, name: str = "model.toml", set: Settings | None = None) -> Any:
    """A model without a file, from a dictionary in the shape of the file, or from its text.

    ``name`` is what messages show as its file; files that the model names are relative to its folder.
    """
    text = tree if isinstance(tree, str) else _toml.write_toml(tree)
    kind = _core.kind_of(_core.Source(name, text, []))
    if kind == "study":
        from camber._study import Study

        return Study(name, text=text, set=set)
    return _class_of(kind, name)(name, text=text, set=set)


def key_figures() -> dict[str, tuple[str, str]]:
    """Unit and definition of all key figures that a scenario may ask for, by name."""
    return {name: (unit, definition) for name, unit, definition in _core.key_figures()}
