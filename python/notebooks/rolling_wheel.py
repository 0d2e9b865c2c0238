# %% [markdown]
# # A rolling wheel under four contact laws
# The same wheel, dropped on a plane, with one law of friction after the other (docs/manual/rolling-wheel.md).

# %%
import numpy as np

import camber

wheel = camber.load(camber.example("scenarios/rolling-wheel-fig4.toml"))
print(wheel["about"] if "about" in wheel else wheel["name"])
runs = {law: wheel.with_({"law": law}).run() for law in ("events", "regularized", "relaxed", "printed")}
for law, run in runs.items():
    print(f"{law:12s} {run.summary['steps']:6d} steps, {run.summary['evaluations']:7d} evaluations")

# %% [markdown]
# The rim against the wheel: while the two lines are apart, the wheel slips. Three laws lie on top of one another; "printed"
# is the equations as their paper prints them, which push a spinning wheel backward.

# %%
ax = camber.plot.axes()
for i, (law, run) in enumerate(runs.items()):
    velocities = np.asarray(run["velocities"])
    ax.plot(run.time, velocities[:, 1], color=f"C{i}", label=f"{law}: rim")
    ax.plot(run.time, velocities[:, 0], "--", color=f"C{i}", linewidth=1)
ax.set_xlabel("time [s]")
ax.set_ylabel("speed [m/s]; dashed: of the wheel")
ax.legend()

# %%
ax = camber.plot.axes()
for law, run in runs.items():
    ax.plot(run.time, np.asarray(run["slip"]).ravel(), label=law)
ax.set_xlabel("time [s]")
ax.set_ylabel("slip [m/s]")
ax.legend()
