"""Arrays that know their unit and the names of their columns."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from camber._errors import unknown_name


class Channel(np.ndarray[Any, np.dtype[np.float64]]):
    """A channel of a run: an array (samples, ...). ``channel["yaw"]`` is the column of that name."""

    name: str
    units: tuple[str, ...]
    names: tuple[str, ...]
    row_names: tuple[str, ...]
    description: str

    def __array_finalize__(self, other: Any) -> None:
        self.name = getattr(other, "name", "")
        self.units = getattr(other, "units", ())
        self.names = getattr(other, "names", ())
        self.row_names = getattr(other, "row_names", ())
        self.description = getattr(other, "description", "")

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """Results of arithmetic are plain arrays: their unit is another one."""
        plain = [x.view(np.ndarray) if isinstance(x, Channel) else x for x in inputs]
        return getattr(ufunc, method)(*plain, **options)

    @property
    def unit(self) -> str:
        """The unit of all columns, or of the first one where they differ."""
        return self.units[0] if self.units else "1"

    def __getitem__(self, key: Any) -> Any:
        plain = self.view(np.ndarray)
        if isinstance(key, str):
            if key in self.row_names and plain.ndim > 2:
                part = plain[:, self.row_names.index(key)]
                return make_channel(part, f"{self.name}.{key}", self.units, self.names, (), self.description)
            if key not in self.names:
                raise unknown_name(f"column of {self.name}", key, list(self.row_names) + list(self.names))
            return plain[..., self.names.index(key)]
        return plain[key]

    def columns(self) -> dict[str, npt.NDArray[np.float64]]:
        """Every column under a name of its own: "chassis/rates.yaw"."""
        plain = self.view(np.ndarray)
        if plain.ndim == 1:
            return {self.name: plain}
        flat = plain.reshape(len(plain), -1)
        last = list(self.names) or [str(i) for i in range(plain.shape[-1])]
        labels = last if plain.ndim == 2 else [
            f"{row}.{column}" for row in (list(self.row_names) or [str(i) for i in range(plain.shape[1])])
            for column in last]
        return {f"{self.name}.{label}": flat[:, i] for i, label in enumerate(labels)}


def make_channel(values: npt.NDArray[np.float64], name: str, units: Sequence[str], names: Sequence[str],
                 row_names: Sequence[str], description: str) -> Channel:
    """A view of `values` with its unit and names; no copy."""
    channel = values.view(Channel)
    channel.name = name
    channel.units = tuple(units)
    channel.names = tuple(names)
    channel.row_names = tuple(row_names)
    channel.description = description
    return channel
