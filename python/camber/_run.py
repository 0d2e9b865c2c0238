"""Recorded runs: channels as arrays, key figures, reports, comparison."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator, Mapping, NamedTuple, Sequence

from camber import _core
from camber._errors import Error, unknown_name

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd
    from matplotlib.axes import Axes

    from camber._channel import Channel
    from camber._model import Model

    PathLike = str | os.PathLike[str]

__all__ = ["Comparison", "Difference", "Figure", "Run", "Series", "compare", "convert", "open", "run"]


class Figure(NamedTuple):
    """A key figure of a drive, with the bounds that its scenario gives."""

    value: float | None
    unit: str
    passed: bool | None = None
    lower: float | None = None
    upper: float | None = None
    source: str | None = None


def _make_channel(values: npt.NDArray[np.float64], about: Any, name: str) -> Channel:
    from camber._channel import make_channel

    return make_channel(values, name, *about)


class Series:
    """Channels with times of their own, such as those of a sensor."""

    def __init__(self, data: _core.RunData, group: str) -> None:
        self._data = data
        self.group = group

    @property
    def time(self) -> npt.NDArray[np.float64]:
        """Times of the samples [s]."""
        return self._data.series_time(self.group)

    @property
    def channels(self) -> list[str]:
        """Names of the channels."""
        return self._data.series_channels(self.group)

    def __getitem__(self, name: str) -> Channel:
        if name not in self.channels:
            raise unknown_name("channel", name, self.channels)
        return _make_channel(self._data.series_values(self.group, name), self._data.series_about(self.group, name), name)

    def __repr__(self) -> str:
        return f"Series({self.group!r}, {len(self.time)} samples, channels {self.channels})"


class Run:
    """A recorded run. ``run["chassis/rates"]["yaw"]`` is a read-only array that stays valid."""

    def __init__(self, data: _core.RunData, notes: Sequence[str] = ()) -> None:
        self._data = data
        self._summary: dict[str, Any] | None = None
        self.notes: list[str] = list(notes)

    @property
    def time(self) -> npt.NDArray[np.float64]:
        """Times of the samples [s]."""
        return self._data.time

    @property
    def channels(self) -> list[str]:
        """Names of all channels, such as "wheels/load"."""
        return self._data.channels

    def __getitem__(self, name: str) -> Channel:
        if name not in self.channels:
            raise unknown_name("channel", name, self.channels)
        return _make_channel(self._data.values(name), self._data.about(name), name)

    def __contains__(self, name: object) -> bool:
        return name in self.channels

    def __iter__(self) -> Iterator[str]:
        return iter(self.channels)

    def __len__(self) -> int:
        return len(self.time)

    @property
    def series(self) -> dict[str, Series]:
        """Channels with times of their own, by group: "sensors/imu"."""
        return {group: Series(self._data, group) for group in self._data.series}

    @property
    def summary(self) -> dict[str, Any]:
        """What summary.json holds; empty for a run that was killed."""
        if self._summary is None:
            import json

            text = self._data.summary
            self._summary = json.loads(text) if text else {}
        return self._summary

    @property
    def figures(self) -> dict[str, Figure]:
        """Key figures by name."""
        return {entry["name"]: Figure(entry["value"], entry["unit"], entry.get("passed"), entry.get("lower"),
                                      entry.get("upper"), entry.get("source"))
                for entry in self.summary.get("key_figures", [])}

    @property
    def name(self) -> str:
        """Name of the scenario or model."""
        return str(self.summary.get("name", os.path.basename(self._data.folder)))

    @property
    def status(self) -> str:
        """"done", "stopped", "failed", or "killed" for a run whose log was cut off."""
        return str(self.summary.get("status", "killed"))

    @property
    def reason(self) -> str | None:
        """Why it failed; None if it did not."""
        return self.summary.get("reason")

    @property
    def passed(self) -> bool:
        """Whether the run reached its end, is sound, and no figure has failed."""
        return bool(self.summary.get("passed", self.status == "done"))

    @property
    def warnings(self) -> list[str]:
        """What a reader of the results should know."""
        return list(self.summary.get("warnings", []))

    @property
    def state_hash(self) -> str | None:
        """Hash of the final state, the same as the program's; None for models that have none."""
        return self.summary.get("final_state_hash")

    @property
    def attributes(self) -> dict[str, Any]:
        """What the log says about itself: model_file, model_text, program, ..."""
        return self._data.attributes

    @property
    def folder(self) -> str | None:
        """Folder of the run; None if it is in memory alone."""
        return self._data.folder or None

    def columns(self) -> dict[str, npt.NDArray[np.float64]]:
        """Every column under a name of its own: "chassis/rates.yaw"."""
        result: dict[str, npt.NDArray[np.float64]] = {"time": self.time}
        for name in self.channels:
            result.update(self[name].columns())
        return result

    def frame(self) -> pd.DataFrame:
        """All channels as a pandas.DataFrame with time [s] as its index."""
        import pandas as pd

        frame = pd.DataFrame(self.columns())
        return frame.set_index("time")

    def save(self, path: PathLike) -> None:
        """Writes all columns as .csv, .parquet, .npz or .mcap, the log as .h5, or, without an ending, a run's folder."""
        target = os.fspath(path)
        ending = os.path.splitext(target)[1]
        if ending == ".csv":
            self._save_csv(target)
        elif ending == ".npz":
            import numpy as np

            np.savez_compressed(target, **self.columns())
        elif ending == ".parquet":
            _core.write_parquet(target, list(self.columns().items()))
        elif ending == ".mcap":
            from camber._mcap import write_mcap

            write_mcap(self, target)
        elif ending == ".h5":
            self._save_log(target)
        elif not ending:
            self._data.write(target)
        else:
            raise Error(f'save: "{target}": the ending is one of .csv, .parquet, .npz, .mcap, .h5, or none for the folder of a run')

    def _save_csv(self, path: str) -> None:
        import numpy as np

        columns = self.columns()
        np.savetxt(path, np.column_stack(list(columns.values())), delimiter=",", fmt="%.17g", header=",".join(columns),
                   comments="")

    def _save_log(self, path: str) -> None:
        import shutil
        import tempfile

        if self.folder:
            shutil.copyfile(os.path.join(self.folder, "log.h5"), path)
            return
        with tempfile.TemporaryDirectory() as folder:
            self._data.write(os.path.join(folder, "run"))
            shutil.copyfile(os.path.join(folder, "run", "log.h5"), path)

    def report(self, path: PathLike) -> None:
        """Writes the page of the run, which needs nothing beside it."""
        text = self._data.report()
        with _open_file(path) as file:
            file.write(text)

    def plot(self, *channels: str, ax: Axes | None = None) -> Axes:
        """Draws channels over time; without names, the track of a drive."""
        from camber import plot

        return plot.run(self, *channels, ax=ax)

    def __repr__(self) -> str:
        end = f"{self.time[-1]:g} s" if len(self) else "empty"
        return f"Run({self.name!r}, {self.status}, {end}, {len(self)} samples)"

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><td>{escape(name)}</td><td style='text-align:right'>{'–' if f.value is None else f'{f.value:.5g}'}</td>"
            f"<td>{escape(f.unit)}</td><td>{'' if f.passed is None else 'ok' if f.passed else 'FAILED'}</td></tr>"
            for name, f in self.figures.items())
        head = f"<b>{escape(self.name)}</b>: {escape(self.status)}, {self.time[-1] if len(self) else 0:g} s"
        reason = f"<br>{escape(self.reason)}" if self.reason else ""
        return f"{head}{reason}<table>{rows}</table>" if rows else head + reason


def _open_file(path: PathLike) -> Any:
    import builtins

    return builtins.open(path, "w", encoding="utf-8")


def open(folder: PathLike) -> Run:
    """Opens the folder of a run that the program, or ``run(log=...)``, wrote."""
    return Run(_core.open_run(os.fspath(folder)))


def convert(source: Run | PathLike, target: PathLike) -> None:
    """Writes a run, or the folder of one, in another form, by the ending of its name: as ``Run.save`` does."""
    (source if isinstance(source, Run) else open(source)).save(target)


def run(model: Model | PathLike, **options: Any) -> Run:
    """Runs a model or its file: the same as ``camber.load(model).run(**options)``."""
    from camber._model import Model, load

    loaded: Model = model if isinstance(model, Model) else load(model)
    return loaded.run(**options)


class Difference(NamedTuple):
    """Where a column of a run differs most from that of the first run."""

    channel: str
    column: str
    unit: str
    run: str
    difference: float
    time: float
    first_value: float
    value: float
    share: float  # of the column's range in the first run


class Comparison:
    """What differs between runs. Values of other runs are interpolated at the first one's samples."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.names: list[str] = list(found["names"])
        self.first_time: float = found["first_time"]
        self.last_time: float = found["last_time"]
        self.notes: list[str] = list(found["notes"])
        self.figures: dict[str, tuple[str, list[float]]] = {name: (unit, list(values))
                                                           for name, unit, values in found["figures"]}
        self.differences: list[Difference] = []
        for channel, column, unit, spread, entries in found["columns"]:
            for i, (difference, time, first_value, value) in enumerate(entries):
                share = abs(difference) / spread if spread > 0 else (0.0 if difference == 0 else float("inf"))
                self.differences.append(Difference(channel, column, unit, self.names[i + 1], difference, time,
                                                   first_value, value, share))
        self._page: str = found["page"]

    @property
    def same(self) -> bool:
        """Whether all common columns are equal, bit for bit."""
        return all(d.difference == 0 for d in self.differences)

    def worst(self, count: int = 5) -> list[Difference]:
        """The largest differences, as shares of their column's range."""
        return sorted((d for d in self.differences if d.difference == d.difference), key=lambda d: -d.share)[:count]

    def report(self, path: PathLike) -> None:
        """Writes a page with both tables and a chart of each column."""
        with _open_file(path) as file:
            file.write(self._page)

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(f"<tr><td>{escape(d.channel)} {escape(d.column)}</td><td>{escape(d.run)}</td><td>{d.difference:.5g}</td>"
                       f"<td>{escape(d.unit)}</td><td>{d.time:g}</td></tr>" for d in self.worst(10))
        return (f"<b>{escape(', '.join(self.names))}</b>{': the same' if self.same else ''}<table><tr><th>channel</th>"
                f"<th>run</th><th>difference</th><th></th><th>at [s]</th></tr>{rows}</table>")

    def __repr__(self) -> str:
        worst = self.worst(1)
        text = f", worst {worst[0].channel} {worst[0].column}: {worst[0].difference:g} {worst[0].unit}" if worst else ""
        return f"Comparison({self.names}{text})"


def compare(runs: Sequence[Run | PathLike], names: Sequence[str] | None = None) -> Comparison:
    """Compares runs with the first one: figures and all common columns."""
    opened = [one if isinstance(one, Run) else open(one) for one in runs]
    if names is None:
        names = [one if isinstance(one, str) else opened[i].folder or f"{opened[i].name} {i + 1}"
                 for i, one in enumerate(runs)]
    if len(names) != len(opened):
        raise Error(f"compare: {len(names)} names for {len(opened)} runs")
    return Comparison(_core.compare([one._data for one in opened], list(names)))
