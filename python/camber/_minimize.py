"""The best values: searches over drives."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

from camber import _core, _toml
from camber._errors import Error
from camber._model import Model, Scenario, assignments, key_figures, load
from camber._run import Run
from camber._sampling import to_table
from camber._study import Study, StudyResult, _workers

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from camber._study import Progress

    PathLike = str | os.PathLike[str]
    Values = dict[str, float]


class Minimum:
    """The best values that a search has found."""

    def __init__(self, values: Values, cost: float, feasible: bool, evaluations: int, history: Sequence[float],
                 scenario: Scenario | None, result: StudyResult | None) -> None:
        self.values = values
        self.cost = cost
        self.feasible = feasible
        self.evaluations = evaluations
        self._history = list(history)
        self._scenario = scenario
        self.result = result

    @property
    def history(self) -> npt.NDArray[np.float64]:
        """The best cost so far after each generation."""
        import numpy as np

        return np.array(self._history)

    @property
    def scenario(self) -> Scenario:
        """The scenario with the best values."""
        if self._scenario is None:
            raise Error("minimize: a function was searched, not a scenario")
        better = self._scenario.copy()
        better.update(self.values)
        assert isinstance(better, Scenario)
        return better

    def run(self, *, log: PathLike | None = None) -> Run:
        """Drives the scenario with the best values."""
        return self.scenario.run(log=log)

    def __repr__(self) -> str:
        best = ", ".join(f"{key}={value:.6g}" for key, value in self.values.items())
        return (f"Minimum(cost={self.cost:.6g}, {best}, evaluations={self.evaluations}"
                f"{'' if self.feasible else ', constraints not met'})")


def minimize(model: Scenario | PathLike | Callable[[Values], float], over: Mapping[str, tuple[float, float]],
             cost: str | Mapping[str, Any] | Callable[[Run], float] | None = None, *,
             constraints: Mapping[str, tuple[float | None, float | None]] | None = None,
             noise: Mapping[str, Any] | None = None, noise_samples: int = 1, robust: str = "mean",
             robust_factor: float | None = None, method: str = "cma_es", evaluations: int = 200, population: int = 0,
             sigma: float = 0.3, restarts: int = 2, seed: int = 1, folder: PathLike | None = None,
             workers: int | str | None = None, progress: Progress | None = None) -> Minimum:
    """Searches the values of keys, each within (low, high), for the smallest cost.

        best = camber.minimize("scenarios/step-steer.toml", {"vehicle:axles.front.spring.stiffness": (120e3, 220e3)},
                               cost="yaw_overshoot")

    ``cost`` is a key figure; several with what they weigh, {"yaw_overshoot": {"scale": 0.1}, "steady_roll_deg": {"target": 2}},
    in the words of [[objective]] of a study; or a function of the Run. ``constraints`` are (low, high) of figures, None
    for no bound. ``noise`` varies at random: each candidate is driven ``noise_samples`` times with the same values, and
    ``robust`` is "mean", "mean_plus_sigma" or "quantile", with robust_factor. ``method`` is "cma_es" or "nelder_mead".

    In place of a scenario, a function of the values by name is searched. A cost of NaN is worse than any number. Drives of
    figures are those of a study, whose folder may be given; functions are called in threads, one per worker. Ctrl-C ends
    the search; an exception of a function arrives unchanged.
    """
    if not over:
        raise Error("minimize: needs one key at least: over={\"ground.friction\": (0.5, 1.0)}")
    if method not in ("cma_es", "nelder_mead"):
        raise Error(f'minimize: method must be "cma_es" or "nelder_mead", got {method!r}')
    if evaluations < 1:
        raise Error(f"minimize: evaluations must be >= 1, got {evaluations}")
    bounds = {key: _bounds(key, pair) for key, pair in over.items()}
    scenario = None if callable(model) else _load_scenario(model)
    if callable(model) or callable(cost):
        if constraints or noise or folder is not None:
            raise Error("minimize: constraints, noise and folder are for figures; a function sees to them itself")
        if callable(model) and cost is not None:
            raise Error("minimize: a function of the values has no cost beside it")
        if callable(model):
            evaluate = model
        else:
            assert scenario is not None
            evaluate = _drive_cost(scenario, cost)
        search = _core.Search(len(bounds), method == "nelder_mead", population, sigma, restarts, seed)
        return _search(search, bounds, evaluate, evaluations, _workers(workers), progress, scenario)
    assert scenario is not None
    if cost is None:
        raise Error('minimize: needs a cost: the name of a key figure, or a function of the Run')
    assert not callable(cost)
    objectives = _objectives(cost)
    scenario = _with_figures(scenario, [*(o["figure"] for o in objectives), *(constraints or {})])
    inputs: dict[str, Any] = {}
    for key, (low, high) in bounds.items():
        inputs[key] = {"key": key, "distribution": {"kind": "uniform", "low": low, "high": high}, "role": "design"}
    for key, distribution in (noise or {}).items():
        inputs[key] = {"key": key, "distribution": to_table(distribution, key), "role": "noise"}
    plan: dict[str, Any] = {"kind": "optimize", "method": method, "evaluations": evaluations, "population": population,
                            "sigma": sigma, "restarts": restarts, "noise_samples": noise_samples, "robust": robust}
    if robust_factor is not None:
        plan["quantile" if robust == "quantile" else "factor"] = robust_factor
    tables: dict[str, Any] = {"objective": objectives}
    if constraints:
        tables["constraint"] = [_constraint(figure, pair) for figure, pair in constraints.items()]
    study = Study(scenario, inputs, plan=plan, seed=seed, name=f"minimize-{os.path.basename(scenario.path).split('.')[0]}",
                  **tables)
    result = study.run(folder, workers=workers, progress=progress)
    found = result.found
    if "best" not in found:
        raise Error(f"minimize: no drive gave an answer; the first: {result.samples[0].reason}")
    nan = float("nan")
    return Minimum({key: float(value) for key, value in found["best"].items()},
                   nan if found["objective"] is None else float(found["objective"]), bool(found["feasible"]),
                   int(found["drives"]), [nan if h is None else float(h) for h in found["history"]], scenario, result)


def _bounds(key: str, pair: Any) -> tuple[float, float]:
    try:
        low, high = (float(x) for x in pair)
    except (TypeError, ValueError):
        raise Error(f"minimize: {key}: must be (low, high), got {pair!r}") from None
    if not low < high or abs(low) == float("inf") or abs(high) == float("inf"):
        raise Error(f"minimize: {key}: needs finite low < high, got {low} and {high}")
    return low, high


def _load_scenario(model: Any) -> Scenario:
    scenario = model if isinstance(model, Model) else load(model)
    if not isinstance(scenario, Scenario):
        raise Error(f'{scenario.path} is of kind "{scenario.kind}"; minimize takes a scenario or a function')
    return scenario


def _objectives(cost: str | Mapping[str, Any]) -> list[dict[str, Any]]:
    if isinstance(cost, str):
        return [{"figure": cost}]
    return [{"figure": figure, **(more if isinstance(more, Mapping) else {"weight": float(more)})}
            for figure, more in cost.items()]


def _constraint(figure: str, pair: tuple[float | None, float | None]) -> dict[str, Any]:
    low, high = pair
    return {"figure": figure, **({} if low is None else {"min": float(low)}), **({} if high is None else {"max": float(high)})}


def _with_figures(scenario: Scenario, names: Sequence[str]) -> Scenario:
    """The scenario with key figures that it does not ask for itself."""
    asked = [f.get("name", f.get("figure")) for f in scenario.get("figures", [])]
    missing = [name for name in dict.fromkeys(names) if name not in asked]
    known = key_figures()
    if not missing or any(name not in known for name in missing):
        return scenario  # the study says what is wrong with a name
    tree = _toml.parse(scenario.text, scenario.path)
    tree["figures"] = [*tree.get("figures", []), *({"figure": name} for name in missing)]
    more = scenario.copy()
    more._text = _toml.write_toml(tree)
    more.update({})
    assert isinstance(more, Scenario)
    return more


def _drive_cost(scenario: Scenario, cost: Any) -> Callable[[Values], float]:
    cache = _core.PartsCache()

    def evaluate(values: Values) -> float:
        return float(cost(Run(_core.run_scenario(scenario._source(assignments(values)), "", None, cache))))

    return evaluate


def _search(search: _core.Search, bounds: Mapping[str, tuple[float, float]], evaluate: Callable[[Values], float],
            evaluations: int, workers: int, progress: Progress | None, scenario: Scenario | None) -> Minimum:
    from concurrent.futures import ThreadPoolExecutor

    best: Values = {}
    best_cost = float("nan")
    history: list[float] = []
    done = 0
    pool = ThreadPoolExecutor(workers)
    try:
        while done < evaluations:
            points = search.ask()
            if len(points) == 0:
                break
            candidates = [{key: low + float(u) * (high - low) for u, (key, (low, high)) in zip(point, bounds.items())}
                          for point in points]
            costs = [float(c) for c in pool.map(evaluate, candidates)]
            done += len(costs)
            for candidate, one in zip(candidates, costs):
                if one == one and not best_cost <= one:
                    best, best_cost = candidate, one
            history.append(best_cost)
            search.tell(costs)
            if progress is not None:
                progress(done, evaluations, f"best {best_cost:.6g}")
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    if not best:
        raise Error(f"minimize: none of {done} candidates has a cost that is a number")
    return Minimum(best, best_cost, True, done, history, scenario, None)
