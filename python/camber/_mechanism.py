"""Equations of motion of mechanisms, over batches of states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from camber import _core

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from camber._model import Mechanism


class Dynamics:
    """A mechanism in one formulation: v' = accelerations(q, v), M(q), h(q, v), Jacobians.

    q and v are one state, (nq) and (nv), or a batch, (n, nq) and (n, nv). Units are SI: m, rad, m/s, rad/s, N, N m.
    """

    def __init__(self, mechanism: Mechanism, method: str = "ce", *, standing: bool = False) -> None:
        self._core = _core.Dynamics(mechanism._source(), method, standing)
        self._name = mechanism.path
        self._made_of = (mechanism.copy(), standing)

    @property
    def method(self) -> str:
        """The formulation: "ce", "ta", "fa", "uk" or "generated"."""
        return self._core.method

    @property
    def nq(self) -> int:
        """Length of q."""
        return self._core.nq

    @property
    def nv(self) -> int:
        """Length of v."""
        return self._core.nv

    @property
    def degrees_of_freedom(self) -> int:
        """Independent speeds, driven ones not counted."""
        return self._core.degrees_of_freedom

    @property
    def q_names(self) -> list[str]:
        """Names of the coordinates."""
        return self._core.q_names

    @property
    def v_names(self) -> list[str]:
        """Names of the speeds."""
        return self._core.v_names

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies, the world first; empty for generated code."""
        return self._core.bodies

    @property
    def initial_q(self) -> npt.NDArray[np.float64]:
        """Coordinates at the start, loops closed [m, rad]."""
        return self._core.initial_q

    @property
    def initial_v(self) -> npt.NDArray[np.float64]:
        """Speeds at the start [m/s, rad/s]."""
        return self._core.initial_v

    def accelerations(self, q: npt.ArrayLike, v: npt.ArrayLike, *, t: float = 0.0) -> npt.NDArray[np.float64]:
        """Accelerations v' at time t [s], in the shape of v."""
        return self._core.accelerations(q, v, t)

    def jacobian(self, q: npt.ArrayLike, v: npt.ArrayLike, *, t: float = 0.0) -> npt.NDArray[np.float64]:
        """dv'/d[q; v], (nv, nq + nv) or (n, nv, nq + nv), exact by dual numbers."""
        return self._core.jacobian(q, v, t)

    def mass_matrix(self, q: npt.ArrayLike, *, t: float = 0.0) -> npt.NDArray[np.float64]:
        """Mass matrix of the joints' coordinates, loops cut: (nv, nv) or (n, nv, nv) [kg, kg m, kg m^2]."""
        return self._core.mass_matrix(q)

    def bias(self, q: npt.ArrayLike, v: npt.ArrayLike, *, t: float = 0.0) -> npt.NDArray[np.float64]:
        """h in M v' + h = 0 of the joints' coordinates, loops cut [N, N m]."""
        return self._core.bias(q, v)

    def project(self, q: npt.ArrayLike, v: npt.ArrayLike, *,
                t: float = 0.0) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """q and v with loops closed and speeds that fit them."""
        return self._core.project(q, v, t)

    def observe(self, q: npt.ArrayLike, v: npt.ArrayLike, *, t: float = 0.0) -> dict[str, Any]:
        """One state in full: poses (bodies, 7) [m, quaternion], reactions (joints, 6) [N, N m], energies [J]."""
        return self._core.observe(q, v, t)

    def __reduce__(self) -> Any:
        mechanism, standing = self._made_of
        return _make_dynamics, (mechanism, self.method, standing)

    def __repr__(self) -> str:
        return f"Dynamics({self._name!r}, {self.method!r}, nq={self.nq}, nv={self.nv})"


def _make_dynamics(mechanism: Mechanism, method: str, standing: bool) -> Dynamics:
    return Dynamics(mechanism, method, standing=standing)
