"""Plans, estimators and searches against OpenTURNS, SciPy and cmaes, which share no code with camber."""

import unittest

import numpy as np

import camber
from camber import _core

try:
    import cmaes
    import openturns as ot
except ImportError as problem:  # section [test] of packages.txt
    raise SystemExit(f"test_oracles.py: {problem}") from None
from scipy import stats

STEP_STEER = "scenarios/step-steer.toml"
# Keys whose values never matter here: nothing is driven.
KEYS = ["ground.friction", "vehicle.start.speed", "driver.speed.target", "driver.steering.angle_deg"]


def study(distributions, plan, **more):
    return camber.Study(STEP_STEER, dict(zip(KEYS, distributions)), plan=plan, seed=11, **more)


class Plans(unittest.TestCase):
    def test_sobol_points_are_those_of_openturns_and_scipy(self):
        values = np.column_stack(list(study([camber.Uniform(1, 2)] * 4, camber.Sobol(64, scramble=False)).values().values()))
        ours = values - 1
        # Without the first point, 0. From the third dimension on, OpenTURNS has direction numbers of another author.
        theirs = np.array(ot.SobolSequence(2).generate(63))
        by_scipy = stats.qmc.Sobol(4, scramble=False).random(64)

        def ordered(points):
            return points[np.lexsort(points.T)]

        np.testing.assert_allclose(ordered(ours), ordered(by_scipy), atol=1e-9)
        np.testing.assert_allclose(ordered(ours[:, :2])[1:], ordered(theirs), atol=1e-9)

    def test_scrambled_points_fill_space_as_evenly_as_openturns(self):
        values = np.column_stack(list(study([camber.Uniform(1, 2)] * 4, camber.Sobol(256)).values().values())) - 1
        ours = stats.qmc.discrepancy(values)
        theirs = ot.SobolSequence(4)
        plain = stats.qmc.discrepancy(np.array(theirs.generate(256)))
        independent = stats.qmc.discrepancy(np.random.default_rng(1).random((256, 4)))
        self.assertLess(ours, 2 * plain)
        self.assertLess(ours, independent / 4)

    def test_distributions_are_those_of_openturns(self):
        u = np.linspace(0.001, 0.999, 57)
        pairs = [(camber.Uniform(2, 5), ot.Uniform(2, 5)), (camber.Normal(3, 0.7), ot.Normal(3, 0.7)),
                 (camber.Lognormal(2, 0.3), ot.LogNormal(np.log(2), 0.3)),
                 (camber.Triangular(1, 2, 5), ot.Triangular(1, 2, 5)),
                 (camber.Beta(4, 2, 0.5, 1.0), ot.Beta(4, 2, 0.5, 1.0)),
                 (camber.Weibull(1.7, 3), ot.WeibullMin(3, 1.7)), (camber.Exponential(2.5), ot.Exponential(1 / 2.5)),
                 (camber.Normal(0, 1, low=-0.5, high=2), ot.TruncatedNormal(0, 1, -0.5, 2))]
        for ours, theirs in pairs:
            with self.subTest(repr(ours)):
                wanted = [theirs.computeQuantile(x)[0] for x in u]
                np.testing.assert_allclose(ours.quantile(u), wanted, rtol=1e-8, atol=1e-9)

    def test_correlated_inputs_are_those_of_a_normal_copula(self):
        made = study([camber.Uniform(0.5, 1), camber.Normal(20, 1)], camber.Random(4000),
                     correlation={"ground.friction, vehicle.start.speed": -0.6}).values()
        spearman = ot.CorrelationMatrix(2, [1, -0.6, -0.6, 1])
        copula = ot.NormalCopula(ot.NormalCopula.GetCorrelationFromSpearmanCorrelation(spearman))
        ot.RandomGenerator.SetSeed(3)
        theirs = np.array(copula.getSample(4000))
        u = np.column_stack([(made["ground.friction"] - 0.5) / 0.5, stats.norm(20, 1).cdf(made["vehicle.start.speed"])])
        self.assertAlmostEqual(stats.spearmanr(*u.T).statistic, -0.6, delta=0.03)
        # The same joint distribution: shares of all four quarters of every split agree.
        for a in (0.1, 0.3, 0.5, 0.8):
            for b in (0.2, 0.5, 0.9):
                ours = np.mean((u[:, 0] < a) & (u[:, 1] < b))
                self.assertAlmostEqual(ours, np.mean((theirs[:, 0] < a) & (theirs[:, 1] < b)), delta=0.035)
                self.assertAlmostEqual(ours, copula.computeCDF([a, b]), delta=0.025)


def ishigami(x):
    return np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])


class Estimators(unittest.TestCase):
    def test_sobol_indices_are_those_of_openturns(self):
        n, d = 16384, 3
        box = ot.ComposedDistribution([ot.Uniform(-np.pi, np.pi)] * d)
        ot.RandomGenerator.SetSeed(5)
        design = ot.SobolIndicesExperiment(box, n, False).generate()
        x = np.array(design)
        y = ishigami(x)
        a, b = y[:n], y[n:2 * n]
        ab = np.array([y[(2 + i) * n:(3 + i) * n] for i in range(d)])
        ours = _core.sobol_indices(a, b, ab)
        theirs = ot.JansenSensitivityAlgorithm(design, ot.Sample(y[:, None]), n)
        exact_first, exact_total = [0.3139, 0.4424, 0.0], [0.5576, 0.4424, 0.2437]  # Ishigami and Homma 1990
        # Both are Jansen's total indices; OpenTURNS divides by the variance of f(A), camber by that of f(A) and f(B).
        ratio = np.var(a) / np.var(np.concatenate([a, b]))
        for i in range(d):
            first, total = ours[i]
            self.assertAlmostEqual(total[0], ratio * theirs.getTotalOrderIndices()[i], delta=1e-3)
            self.assertAlmostEqual(first[0], exact_first[i], delta=0.05)
            self.assertAlmostEqual(total[0], exact_total[i], delta=0.05)
            self.assertTrue(total[1] <= total[0] <= total[2])

    def test_intervals_are_those_of_scipy(self):
        values = np.sort(stats.gamma(2).rvs(60, random_state=4))
        mean = _core.mean_of(values, 0.9)
        np.testing.assert_allclose(mean[1:], stats.t.interval(0.9, 59, loc=values.mean(), scale=stats.sem(values)))
        share = stats.binomtest(13, 60).proportion_ci(0.9, method="wilson")
        np.testing.assert_allclose(_core.wilson(13, 60, 0.9), [13 / 60, share.low, share.high])
        value, low, high = _core.quantile_of(values, 0.5, 0.9)
        places = np.searchsorted(values, [low, high]) + 1  # order statistics
        inside = stats.binom(60, 0.5).cdf(places[1] - 1) - stats.binom(60, 0.5).cdf(places[0] - 1)
        self.assertGreaterEqual(inside, 0.9)
        self.assertLess(inside, 0.97)
        self.assertTrue(low <= value <= high)


def evaluations_of_ours(function, seed):
    """Until a cost of 1e-8."""
    count = 0
    search = _core.Search(5, seed=seed, restarts=0, tolerance=1e-9)
    while count < 20000:
        points = search.ask()
        if len(points) == 0:
            break
        costs = [function(10 * p - 5) for p in points]
        count += len(costs)
        if min(costs) < 1e-8:
            return count
        search.tell(costs)
    return 20000


def evaluations_of_cmaes(function, seed):
    count = 0
    search = cmaes.CMA(mean=np.zeros(5), sigma=3.0, bounds=np.array([[-5.0, 5.0]] * 5), seed=seed)
    while count < 20000:
        told = []
        for _ in range(search.population_size):
            point = search.ask()
            told.append((point, function(point)))
        count += len(told)
        if min(cost for _, cost in told) < 1e-8:
            return count
        search.tell(told)
    return 20000


class Searches(unittest.TestCase):
    def test_cma_es_needs_as_many_evaluations_as_cmaes(self):
        shift = np.array([1.1, -0.7, 0.4, 2.3, -1.9])
        turn = np.linalg.qr(np.random.default_rng(2).normal(size=(5, 5)))[0]
        scales = 10.0 ** np.arange(5)

        def ellipsoid(x):
            return float(scales @ (turn @ (np.asarray(x) - shift)) ** 2)

        def rosenbrock(x):
            z = np.asarray(x) - shift + 1
            return float(np.sum(100 * (z[1:] - z[:-1] ** 2) ** 2 + (1 - z[:-1]) ** 2))

        for function in (ellipsoid, rosenbrock):
            with self.subTest(function.__name__):
                ours = [evaluations_of_ours(function, seed) for seed in range(1, 10)]
                theirs = [evaluations_of_cmaes(function, seed) for seed in range(1, 10)]
                self.assertLess(np.median(ours), 1.3 * np.median(theirs))
                self.assertLess(sum(n == 20000 for n in ours), 4)


if __name__ == "__main__":
    unittest.main()
