# %% [markdown]
# # Loops: embedding against multipliers
# A mechanism with loops can be solved in independent coordinates (`ce`, constraint embedding), in joint coordinates with
# multipliers (`ta`) or with the poses of all bodies (`fa`). They agree; what differs is size, speed and drift.

# %%
import time

import numpy as np

import camber

four_bar = camber.load(camber.example("models/four-bar.toml"))
found = {}
for method in ("ce", "ta", "fa"):
    dynamics = four_bar.dynamics(method)
    start = time.perf_counter()
    for _ in range(200):
        a = dynamics.accelerations(dynamics.initial_q, dynamics.initial_v)
    microseconds = (time.perf_counter() - start) / 200 * 1e6
    found[method] = a
    print(f"{method}: {dynamics.nv:3d} speeds, {microseconds:6.1f} us an evaluation")
np.testing.assert_allclose(found["ta"], found["ce"], atol=1e-9 * float(np.abs(found["ce"]).max()))

# %% [markdown]
# Over time: `ta` without stabilization lets the loop open; projection closes it; `ce` never opens it.

# %%
runs = {"ce": four_bar.run(5, formulation="ce"), "ta, projection": four_bar.run(5, formulation="ta"),
        "ta, none": four_bar.run(5, formulation="ta", stabilization="none")}
for name, run in runs.items():
    opening, energy = run["constraints/position_error"], run["energies"]["total"]
    print(f"{name:16s} loop open by {float(np.max(opening)):.1e}, energy within {float(np.ptp(energy)):.1e} J")

# %%
ax = camber.plot.axes()
for name, run in runs.items():
    ax.semilogy(run.time, np.asarray(run["constraints/position_error"]) + 1e-18, label=name)
ax.set_xlabel("time [s]")
ax.set_ylabel("constraint error [m or 1]")
ax.legend()

# %% [markdown]
# A whole vehicle: 36 bodies, 15 degrees of freedom. Generated code evaluates it in a few microseconds.

# %%
hmmwv = camber.load(camber.example("models/hmmwv.toml"))
for method in ("generated", "ce", "ta"):
    dynamics = hmmwv.dynamics(method)
    q = np.tile(dynamics.initial_q, (100, 1))
    v = np.tile(dynamics.initial_v, (100, 1))
    start = time.perf_counter()
    dynamics.accelerations(q, v)
    print(f"{method:10s} {dynamics.nv:3d} speeds, {(time.perf_counter() - start) / 100 * 1e6:7.1f} us")
