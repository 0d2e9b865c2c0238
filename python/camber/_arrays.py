"""Arrays that callers hand over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from camber._errors import Error

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

__all__ = ["broadcast", "numbers"]


def numbers(values: Any, name: str) -> Array:
    """Truth values, whole numbers and floating point as doubles. Complex numbers, texts and objects are a TypeError."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise Error(f"{name}: must be numbers, or an array of them") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name}: must be numbers, got {array.dtype if array.dtype.kind != 'O' else type(values).__name__}")
    return array.astype(float, copy=False)


def broadcast(what: str, names: Sequence[str], arguments: Sequence[Any]) -> list[Array]:
    """Arguments as arrays of one shape, by NumPy's rules."""
    arrays = [numbers(values, f"{what}: {name}") for name, values in zip(names, arguments)]
    try:
        return list(np.broadcast_arrays(*arrays))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(names, arrays))
        raise Error(f"{what}: shapes must fit together, got {shapes}") from None
