"""Models derived in Python: frames, points, bodies, forces and constraints, as an analyst writes them.

    from camber.lagrange import System, ground
    from camber.symbolic import dot

    s = System("pendulum", gravity=(0, 0, -9.81))
    q = s.coordinate("q")
    m, l = s.parameter("m", 1.0), s.parameter("l", 0.5)
    arm = ground.rotate("y", q)
    s.body("bob", arm.point(0, 0, -l), mass=m)
    s.derive().dynamics

Units are SI; angles are in rad.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Mapping, NamedTuple, Sequence

from camber._core.lagrange import Frame, Point, Vector
from camber._core.lagrange import SystemCore as _SystemCore
from camber._core.symbolic import Expr, variable
from camber._errors import Error
from camber._run import Run

if TYPE_CHECKING:
    from camber._analysis import LinearModel, Modes

    Number = float | int | Expr
    PathLike = str | os.PathLike[str]

__all__ = ["Equations", "Frame", "Point", "System", "Vector", "ground"]

ground = Frame()
"""The frame that does not move."""


class Equations(NamedTuple):
    """Equations of motion: all expressions are to be zero."""

    coordinates: list[Expr]
    speeds: list[Expr]
    multipliers: list[Expr]  # one for each constraint
    dynamics: list[Expr]  # one for each speed
    constraints: list[Expr]
    velocity_constraints: list[Expr]
    extra: list[Expr]

    def _repr_latex_(self) -> str:
        rows = " \\\\ ".join(f"{e.latex} &= 0" for e in [*self.dynamics, *self.constraints, *self.extra])
        return f"$$\\begin{{aligned}} {rows} \\end{{aligned}}$$"


class System:
    """A system of bodies under forces and constraints (docs/manual/lagrangian-models.md)."""

    def __init__(self, name: str, *, gravity: Sequence[Number] = (0, 0, 0)) -> None:
        self._core = _SystemCore(name)
        self.name = name
        self._core.set_gravity(list(gravity))

    def coordinate(self, name: str) -> Expr:
        """A coordinate [m or rad]; its speed is its rate."""
        return self._core.coordinate(name)

    def coordinates(self, names: str) -> list[Expr]:
        """Several coordinates at once: ``x, y = s.coordinates("x y")``."""
        return [self.coordinate(name) for name in names.replace(",", " ").split()]

    def parameter(self, name: str, value: Number) -> Expr:
        """A parameter with its value, a number or an expression in other parameters; SI units."""
        return self._core.parameter(name, value)

    def parameters(self, **values: Number) -> list[Expr]:
        """Several parameters at once, in their order."""
        return [self.parameter(name, value) for name, value in values.items()]

    def input(self, name: str) -> Expr:
        """An input, such as a torque [N m]: zero in a run, free in a linear model."""
        return self._core.input(name)

    def output(self, name: str, expression: Number) -> None:
        """A quantity that linear models and responses show."""
        self._core.output(name, expression)

    def body(self, name: str, center: Point | Frame, *, mass: Number = 0, inertia: Sequence[Number] = (0, 0, 0),
             products: Sequence[Number] = (0, 0, 0)) -> None:
        """A body with its center of mass, mass [kg] and moments of inertia [kg m^2] along the axes of center's frame.

        products are the elements yz, xz, xy of the inertia tensor, with their signs.
        """
        point = center.origin if isinstance(center, Frame) else center
        self._core.body(name, point, mass, list(inertia), list(products))

    def force(self, name: str, force: Vector, point: Point, *, acting: str, reacting: str = "ground") -> None:
        """A force [N] on a body at a point, and its reaction on another body or the ground."""
        self._core.force(name, force, point, acting, reacting)

    def torque(self, name: str, torque: Vector, *, acting: str, reacting: str = "ground") -> None:
        """A torque [N m] on a body, and its reaction on another body or the ground."""
        self._core.torque(name, torque, acting, reacting)

    def generalized_force(self, name: str, speed: Expr, value: Number) -> None:
        """A load given by its effect on one speed [N or N m]."""
        self._core.generalized_force(name, speed, value)

    def potential(self, name: str, energy: Number) -> None:
        """A load that derives from a potential [J], such as a spring."""
        self._core.potential(name, energy)

    def holonomic(self, name: str, expression: Expr, *, rate: Number = 0) -> None:
        """The constraint expression = 0 in coordinates; `rate` is its derivative if a shorter form is known."""
        self._core.constraint(name, expression, True, rate)

    def nonholonomic(self, name: str, expression: Expr) -> None:
        """The constraint expression = 0, linear in speeds."""
        self._core.constraint(name, expression, False, 0)

    def extra(self, name: str, equation: Expr) -> Expr:
        """A variable of its own with the equation = 0 that determines it. The variable is ``variable(name)``."""
        self._core.extra(name, equation)
        return variable(name)

    def initial(self, values: Mapping[Expr, Number]) -> None:
        """Values that a run starts from: of coordinates, their rates and extra variables."""
        self._core.set_initial(dict(values))

    def linearize_about(self, motion: Mapping[Expr, Number] | None = None, *, independent: Sequence[Expr] = (),
                        moving_frame: Mapping[Expr, Expr] | None = None,
                        relations: Mapping[Expr, Number] | None = None) -> None:
        """The motion for linear models, as functions of ``symbol("t")``; at rest at zero if not given.

        moving_frame has rates of coordinates in terms of velocities of one's own; relations has parameters to be
        replaced by their expressions in others.
        """
        self._core.set_linearization(dict(motion or {}), list(independent), dict(moving_frame or {}),
                                     dict(relations or {}))

    @property
    def kinetic_energy(self) -> Expr:
        """Of all bodies [J]."""
        return self._core.kinetic_energy()

    @property
    def gravity_energy(self) -> Expr:
        """Potential energy of gravity of all bodies [J]."""
        return self._core.gravity_energy()

    def derive(self, method: str = "momentum") -> Equations:
        """The equations of motion: by "momentum" (the shortest), "lagrangian" or "vakonomic"."""
        found = self._core.derive(method)
        return Equations(**found)

    def text(self, *, linear: bool = False, latex: bool = False) -> str:
        """The equations as people read them, with operation counts."""
        return self._core.text(linear, latex)

    def linearize(self, **parameters: float) -> LinearModel:
        """x' = A x + B u, y = C x + D u about the motion of linearize_about()."""
        import numpy as np

        from camber._analysis import LinearModel

        found = self._core.linearize(parameters)
        E = found["E"]
        if np.linalg.matrix_rank(E) < len(E):
            raise Error("linearize: the model has algebraic equations; modes() takes them as they are")
        return LinearModel(np.linalg.solve(E, found["A"]), np.linalg.solve(E, found["B"]), found["C"], found["D"],
                           found["states"], found["inputs"], found["outputs"], E)

    def modes(self, *, sweep: Mapping[str, Sequence[float]] | None = None,
              response: tuple[str, Sequence[str]] | None = None, frequencies: Sequence[float] | None = None,
              **parameters: float) -> Modes:
        """Eigenvalues; with sweep={"V": (first, last, step)} how they change with a parameter."""
        from camber._analysis import Modes, modes_request

        wanted, asked, at = modes_request(sweep, response, frequencies)
        return Modes(self._core.modes(parameters, wanted, asked, at))

    def run(self, duration: float, *, sample: float | None = None, tolerance: float | None = None,
            log: PathLike | None = None, **parameters: float) -> Run:
        """Its motion from the initial values over a duration [s], with all inputs at zero."""
        return Run(self._core.run(parameters, duration, sample, tolerance, os.fspath(log) if log else ""))

    def _repr_latex_(self) -> str:
        return self.derive()._repr_latex_()

    def __repr__(self) -> str:
        return f"System({self.name!r})"

