"""Studies: many drives of a scenario with other values, and what comes out."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, NamedTuple, Sequence

from camber import _core, _toml
from camber._commands import program_words
from camber._errors import Error, unknown_name
from camber._model import Model, Scenario, _PrivateFolder, assignments, load
from camber._sampling import SamplingPlan, Sobol, plan_table, to_table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd
    from matplotlib.axes import Axes

    from camber._model import Settings
    from camber._run import Run

    PathLike = str | os.PathLike[str]
    Progress = Callable[[int, int, str], object]


def _workers(given: int | str | None) -> int:
    if given is None or given == "all":
        return len(os.sched_getaffinity(0))
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise Error(f'workers: must be "all" or a number from 1, got {given!r}')
    return given


class Study(Model):
    """Many drives of a scenario with values that vary (docs/manual/studies.md).

        study = camber.Study("scenarios/step-steer.toml", inputs={"ground.friction": camber.Uniform(0.5, 1)},
                             plan=camber.Sobol(64), seed=7)
        result = study.run("studies/grip")

    A file of kind "study" may be given in place of the scenario; ``camber.load`` does the same. ``inputs`` are
    distributions by key; {"speed": {"keys": [...], "unit": "m/s", "distribution": ...}} gives an input a name and
    several keys. ``outputs`` are names of figures that are kept, all if there are none. ``kernel="lanes"`` drives several
    samples at once. ``set`` are settings of the scenario that all samples share, or, of a file of kind "study", settings
    of that file. Further tables of the file, such as ``keep``, ``stop``, ``event``, ``objective`` and
    ``correlation``, are keywords of the same shape.
    """

    kind = "study"

    def __init__(self, scenario: Scenario | PathLike, inputs: Mapping[str, Any] | None = None, *,
                 outputs: Sequence[str] | None = None, plan: SamplingPlan | Mapping[str, Any] | None = None, seed: int = 1,
                 name: str | None = None, kernel: str | None = None, set: Settings | None = None, text: str | None = None,
                 **tables: Any) -> None:
        self._sets = []
        self._text = text
        if inputs is None:
            if isinstance(scenario, Model):
                raise Error("Study: needs inputs: {\"ground.friction\": camber.Uniform(0.5, 1.0)}")
            self._path = os.fspath(scenario)
            kind = _core.kind_of(_core.Source(self._path, text, []))
            if kind != "study":
                raise Error(f'{self._path} is of kind "{kind}"; a Study takes a file of kind "study", or a scenario and '
                            "inputs")
        else:
            model = scenario if isinstance(scenario, Model) else load(scenario)
            if not isinstance(model, Scenario):
                raise Error(f'{model.path} is of kind "{model.kind}"; a Study takes a scenario')
            if set is not None:
                model, set = model.with_(set), None
                assert isinstance(model, Scenario)
            self._keeps = model  # whose private files it may use
            tree = _make_tree(model, inputs, outputs, plan, seed, name, kernel, tables)
            # Beside the scenario, so that the study names it as a file would; nothing is written there.
            self._path = os.path.join(os.path.dirname(model._file()), f"{tree['name']}.study.toml")
            self._text = _toml.write_toml(tree)
        self.update({} if set is None else set)

    def _source(self, more: Sequence[str] = ()) -> _core.Source:
        """Its path, and its text with what was set: files of studies have no --set."""
        if self._text is None and not self._sets and not more:
            return _core.Source(self._path, None, [])
        tree = self._part_tree("")
        for assignment in more:
            key, _, value = assignment.partition("=")
            _toml.put(tree, key.strip(), _toml.read_assignment_value(value))
        return _core.Source(self._path, _toml.write_toml(tree), [])

    def update(self, settings: Settings) -> None:
        """Sets several keys of the study's file at once: {"plan.samples": 64}."""
        more = assignments(settings)
        _core.check_study(self._source(more))
        self._sets.extend(more)

    def values(self) -> dict[str, npt.NDArray[np.float64]]:
        """Values of all inputs in all samples, before they are driven; of a Choice, the number of the value."""
        names, values = _core.planned_values(self._source())
        return {name: values[:, i] for i, name in enumerate(names)}

    @property
    def scenario(self) -> Scenario:
        """The scenario, with what the study sets for all samples."""
        tree = self._part_tree("")
        path = os.path.join(os.path.dirname(self._path), tree["scenario"])
        return Scenario(path, set=tree.get("set"))

    def run(self, folder: PathLike | None = None, *, workers: int | str | None = None,  # type: ignore[override]
            progress: Progress | None = None) -> StudyResult:
        """Drives what is missing, on `workers` processes ("all": one per core), to the bytes of ``camber study run``.

        The folder is new, or that of the same study, which then goes on; without one, results are in a folder that goes
        with the StudyResult. ``progress(done, total, note)`` is called after each sample. Ctrl-C keeps what was driven.
        """
        private = _PrivateFolder() if folder is None else None
        path = private.path("study") if private is not None else os.fspath(folder or "")
        data = _core.run_study(self._source(), path, _workers(workers), program_words(), progress)
        result = StudyResult(data, private)
        worst = data.worst() if data.end != "stopped" else []
        for k in worst:
            result.samples[k].run(log=True)
        if worst:
            data.write()  # with links to them
        return result

    def submit(self, folder: PathLike, *, slurm: Mapping[str, Any] | None = None) -> str:
        """Hands the study to a Slurm cluster; returns the numbers of its jobs. ``camber.open_study(folder)`` has results.

        ``slurm`` may have partition, account, time, chunks, extra (a list of further options of sbatch) and one_job (all
        generations of a search in one job). The folder must be on a disk that all nodes see.
        """
        options = dict(slurm or {})
        for key in options:
            if key not in _SLURM_OPTIONS:
                raise unknown_name("option of slurm", key, _SLURM_OPTIONS)
        return _core.submit_study(self._source(), os.fspath(folder), program_words(), **options)


_SLURM_OPTIONS = ["partition", "account", "time", "chunks", "extra", "one_job"]


def _make_tree(scenario: Scenario, inputs: Mapping[str, Any], outputs: Sequence[str] | None, plan: Any, seed: int,
               name: str | None, kernel: str | None, tables: Mapping[str, Any]) -> dict[str, Any]:
    """The study's file as a dictionary."""
    if not inputs:
        raise Error("Study: needs one input at least")
    tree: dict[str, Any] = {"kind": "study", "name": name or os.path.splitext(os.path.basename(scenario.path))[0],
                            "scenario": os.path.basename(scenario._file()), "seed": seed}
    if kernel is not None:
        tree["kernel"] = kernel
    if scenario.settings:
        tree["set"] = scenario._file_settings()
    tree["input"] = []
    for key, value in inputs.items():
        entry: dict[str, Any]
        if isinstance(value, Mapping) and "distribution" in value:
            entry = {"name": key, **value}
            if "key" not in entry and "keys" not in entry:
                entry["key"] = key
        else:
            entry = {"key": key, "distribution": value}
        entry["distribution"] = to_table(entry["distribution"], key)
        tree["input"].append(entry)
    tree["plan"] = plan_table(plan if plan is not None else Sobol())
    for word, table in tables.items():
        tree[word] = table
    if outputs is not None:
        tree["keep"] = {**tree.get("keep", {}), "figures": list(outputs)}
    return tree


class Estimate(NamedTuple):
    """An estimate, and where the true value lies with the confidence that was asked for."""

    value: float
    low: float
    high: float


class Sensitivity:
    """How a figure depends on the inputs, as far as the plan can tell; arrays are in the order of ``inputs``.

    A plan Saltelli gives first and total, Morris gives morris, Factorial and CentralComposite give effects; drawn plans
    give rank_correlation and tornado.
    """

    def __init__(self, figure: Mapping[str, Any], inputs: Sequence[str], plan: str) -> None:
        self.figure = str(figure["name"])
        self.unit = str(figure["unit"])
        self.inputs = list(inputs)
        self._found = figure
        self._plan = plan

    def _find(self, key: str, plans: str) -> Any:
        if key not in self._found:
            raise Error(f'sensitivity: a plan of kind "{self._plan}" gives no {key}; {plans} does')
        return self._found[key]

    def _indices(self, which: str) -> npt.NDArray[np.float64]:
        import numpy as np

        found = self._find("sobol_indices", "camber.Saltelli")
        return np.array([_number(found[name][which]["value"]) for name in self.inputs])

    @property
    def first(self) -> npt.NDArray[np.float64]:
        """Share of the variance that comes from each input alone [1]."""
        return self._indices("first")

    @property
    def total(self) -> npt.NDArray[np.float64]:
        """Share of the variance that comes from each input with all others [1]."""
        return self._indices("total")

    @property
    def intervals(self) -> dict[str, dict[str, Estimate]]:
        """first and total of each input with their intervals [1]."""
        found = self._find("sobol_indices", "camber.Saltelli")
        return {name: {which: _estimate(found[name][which]) for which in ("first", "total")} for name in self.inputs}

    @property
    def rank_correlation(self) -> npt.NDArray[np.float64]:
        """Spearman's rank correlation with each input [1]."""
        import numpy as np

        found = self._find("rank_correlations", "camber.Sobol")
        return np.array([_number(found[name]) for name in self.inputs])

    @property
    def morris(self) -> dict[str, dict[str, Any]]:
        """Mean, mean size and sigma of the elementary effects of each input, in the figure's unit."""
        return dict(self._find("morris", "camber.Morris"))

    @property
    def effects(self) -> dict[str, float]:
        """Effects and interactions, in the figure's unit, largest first."""
        return dict(self._find("effects", "camber.Factorial"))

    @property
    def tornado(self) -> list[tuple[str, float, float]]:
        """Inputs, largest swing first, with the figure at the input's low end and at its high end."""
        return [(swing["input"], _number(swing["at_low"]), _number(swing["at_high"]))
                for swing in self._find("tornado", "camber.OneAtATime")]

    def __repr__(self) -> str:
        known = [key for key in ("sobol_indices", "morris", "effects", "rank_correlations", "tornado") if key in self._found]
        return f"Sensitivity({self.figure!r}, {', '.join(known)})"


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def _estimate(found: Mapping[str, Any]) -> Estimate:
    return Estimate(_number(found["value"]), _number(found["low"]), _number(found["high"]))


class Sample:
    """One drive of a study: its number, inputs and figures by name; ``run()`` drives it again."""

    def __init__(self, result: StudyResult, row: int) -> None:
        self._result = result
        self._row = row
        self.number = int(result["sample"][row])

    def _pick(self, names: Sequence[str]) -> dict[str, Any]:
        return {name: _plain(self._result[name][self._row]) for name in names}

    @property
    def inputs(self) -> dict[str, Any]:
        """Values of all inputs."""
        return self._pick(self._result.inputs)

    @property
    def figures(self) -> dict[str, float]:
        """Values of all figures, in their units; NaN: the drive has none."""
        return self._pick(list(self._result.figures))

    @property
    def status(self) -> str:
        """"done", "failed", "refused", "timed_out" or "crashed"."""
        return str(self._result["status"][self._row])

    @property
    def reason(self) -> str:
        """Why it is not done, or not sound."""
        return str(self._result["reason"][self._row])

    @property
    def passed(self) -> bool:
        """Whether it is done and sound, and no figure misses its bounds."""
        return bool(self._result["passed"][self._row])

    @property
    def scenario(self) -> Scenario:
        """The scenario with the values of this sample."""
        path, sets = self._result._data.sample(self.number)
        made = Scenario(path, set=sets)
        made.__dict__["_kept_result"] = self._result  # whose private folder has the files
        return made

    def run(self, *, log: PathLike | bool | None = None) -> Run:
        """Drives the sample again: the same bits, unless the study is in lanes, whose last digits differ.

        log=True writes log and report to ``runs/sample-K`` of the study's folder, where the report of the study finds them.
        """
        if log is True:
            from camber._run import open

            folder = self._result._data.rerun_folder(self.number)
            if os.path.exists(os.path.join(folder, "report.html")):
                return open(folder)
            return self.scenario.run(log=folder)
        return self.scenario.run(log=log if log else None)

    def __repr__(self) -> str:
        return f"Sample({self.number}, {self.status}, {self.inputs})"


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


class _Samples(Sequence[Sample]):
    def __init__(self, result: StudyResult) -> None:
        self._result = result
        self._rows = {int(k): row for row, k in enumerate(result["sample"])}

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [Sample(self._result, self._rows[k]) for k in sorted(self._rows)[number]]
        if number not in self._rows:
            raise IndexError(f"the study has no result of sample {number}; it has {len(self)}")
        return Sample(self._result, self._rows[number])

    def __iter__(self) -> Iterator[Sample]:
        return (Sample(self._result, row) for row in self._rows.values())


class StudyPlots:
    """Charts of a study; each takes ``ax=`` and returns matplotlib's Axes."""

    def __init__(self, result: StudyResult) -> None:
        self._result = result

    def histogram(self, figure: str, *, ax: Axes | None = None) -> Axes:
        """How often a figure has which value."""
        from camber import plot

        return plot.study_histogram(self._result, figure, ax=ax)

    def scatter(self, column: str, figure: str, *, ax: Axes | None = None) -> Axes:
        """A figure over an input, a dot for each sample."""
        from camber import plot

        return plot.study_scatter(self._result, column, figure, ax=ax)

    def tornado(self, figure: str, *, ax: Axes | None = None) -> Axes:
        """The figure at both ends of each input, largest swing on top."""
        from camber import plot

        return plot.study_tornado(self._result, figure, ax=ax)

    def sensitivity(self, figure: str, *, ax: Axes | None = None) -> Axes:
        """Sobol' indices, first order and total, with their intervals."""
        from camber import plot

        return plot.study_sensitivity(self._result, figure, ax=ax)

    def curves(self, name: str, *, ax: Axes | None = None) -> Axes:
        """Median and bands of 5 to 95 % and 25 to 75 % of a curve that was kept, over time."""
        from camber import plot

        return plot.study_curves(self._result, name, ax=ax)

    def history(self, *, ax: Axes | None = None) -> Axes:
        """The best cost so far over the generations of an optimization."""
        from camber import plot

        return plot.study_history(self._result, ax=ax)


class StudyResult:
    """What came out of a study. ``result["peak_roll_deg"]`` is a column of its table, one entry for each sample."""

    def __init__(self, data: _core.StudyData, private: _PrivateFolder | None = None) -> None:
        self._data = data
        self._private = private
        self._columns: dict[str, Any] | None = None
        self._summary: dict[str, Any] | None = None

    @property
    def folder(self) -> str:
        """Folder of the study, with samples.csv, samples.parquet, summary.json and report.html."""
        return self._data.folder

    @property
    def status(self) -> str:
        """"complete", "ended by its rule" or "stopped"."""
        return self._data.end

    @property
    def summary(self) -> dict[str, Any]:
        """What summary.json holds."""
        if self._summary is None:
            self._summary = json.loads(self._data.summary)
        return self._summary

    @property
    def inputs(self) -> list[str]:
        """Names of the inputs."""
        return [name for name, _, _ in self._data.inputs]

    @property
    def figures(self) -> dict[str, str]:
        """Units of the figures, by name."""
        return {name: unit for name, unit, _, _ in self._data.figures}

    @property
    def columns(self) -> dict[str, Any]:
        """The table of samples: read-only arrays by name, lists of texts for status, reason and words."""
        if self._columns is None:
            self._columns = self._data.columns()
        return self._columns

    @property
    def table(self) -> pd.DataFrame:
        """The table of samples as a pandas.DataFrame with the sample's number as its index."""
        import pandas as pd

        return pd.DataFrame(self.columns).set_index("sample")

    def __getitem__(self, name: str) -> Any:
        if name not in self.columns:
            raise unknown_name("column", name, list(self.columns))
        return self.columns[name]

    def __len__(self) -> int:
        return len(self["sample"])

    @property
    def samples(self) -> Sequence[Sample]:
        """All samples that have a result, by number."""
        return _Samples(self)

    def _figure(self, name: str) -> dict[str, Any]:
        for figure in self.summary["figures"]:
            if figure["name"] == name:
                return dict(figure)
        raise unknown_name("figure", name, list(self.figures))

    def _values(self, name: str) -> npt.NDArray[np.float64]:
        """Values of a figure of all drives that gave an answer and have one, ascending."""
        import numpy as np

        if name not in self.figures:
            raise unknown_name("figure", name, list(self.figures))
        answers = np.isin(self["status"], ["done", "failed"])
        values = self[name][answers]
        return np.sort(values[np.isfinite(values)])

    def mean(self, figure: str, *, ci: float = 0.95) -> Estimate:
        """Mean of a figure in its unit, with Student's interval."""
        return Estimate(*_core.mean_of(self._values(figure), ci))

    def quantile(self, figure: str, probability: float, *, ci: float = 0.95) -> Estimate:
        """Quantile of a figure in its unit; the interval holds whatever the distribution is (order statistics)."""
        return Estimate(*_core.quantile_of(self._values(figure), probability, ci))

    def pass_rate(self, *, ci: float = 0.95) -> Estimate:
        """Share of the drives that passed, with Wilson's interval [1]."""
        return Estimate(*_core.wilson(int(self.summary["passed"]), int(self.summary["answers"]), ci))

    def sensitivity(self, figure: str) -> Sensitivity:
        """How a figure depends on the inputs."""
        return Sensitivity(self._figure(figure), self.inputs, str(self.summary["plan"]))

    def worst(self, figure: str, count: int = 5, *, smallest: bool = False) -> list[Sample]:
        """The samples with the largest (or smallest) values of a figure, the worst first."""
        import numpy as np

        if figure not in self.figures:
            raise unknown_name("figure", figure, list(self.figures))
        values = self[figure] if smallest else -self[figure]
        order = np.argsort(values, kind="stable")
        return [Sample(self, int(row)) for row in order[:count] if np.isfinite(values[row])]

    @property
    def curves(self) -> list[str]:
        """Names of the curves that were kept."""
        return self._data.curves

    def curve(self, name: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float32]]:
        """Times [s] and values (samples, times) of a curve; NaN after the end of a drive."""
        if name not in self.curves:
            raise unknown_name("curve", name, self.curves)
        times, values, _ = self._data.curve(name)
        return times, values

    @property
    def found(self) -> dict[str, Any]:
        """What an adaptive plan found: best values, a probability, a limit."""
        if "result" not in self.summary:
            raise Error(f'a plan of kind "{self.summary["plan"]}" searches for nothing')
        return dict(self.summary["result"])

    @property
    def plot(self) -> StudyPlots:
        """Charts: histogram, scatter, tornado, sensitivity, curves, history."""
        return StudyPlots(self)

    def report(self, path: PathLike) -> None:
        """Writes the page of the study, which needs nothing beside it."""
        text = self._data.report()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def __repr__(self) -> str:
        return f"StudyResult({self.summary['name']!r}, {self.status}, {len(self)} samples)"

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><td>{escape(f['name'])}</td><td>{_text_of(f['mean']['value'])}</td><td>{escape(f['unit'])}</td></tr>"
            for f in self.summary["figures"])
        return (f"<b>{escape(self.summary['name'])}</b>: {escape(self.status)}, {len(self)} samples"
                f"<table><tr><th>figure</th><th>mean</th><th></th></tr>{rows}</table>")


def _text_of(value: float | None) -> str:
    return "–" if value is None else f"{value:.5g}"


def open_study(folder: PathLike) -> StudyResult:
    """Opens the folder of a study that the program, or ``Study.run``, made; complete or not."""
    return StudyResult(_core.open_study(os.fspath(folder)))
