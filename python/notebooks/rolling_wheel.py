# %% [markdown]
# # A rolling wheel under four contact laws
# The same wheel, dropped on a plane, with one law of friction after the other (docs/manual/rolling-wheel.md).

# %%
import numpy as np

import camber

wheel = camber.load(camber.example("scenarios/rolling-wheel-fig4.toml"))
print(wheel["about"] if "about" in wheel else wheel["name"])
runs = {}
for law in ("events", "regularized", "relaxed", "elastic"):
    try:
        runs[law] = wheel.with_({"law": law}).run()
    except camber.Error as error:
        print(f"{law}: {error}".splitlines()[0])
for law, run in runs.items():
    print(f"{law:12s} {run.summary['steps']:6d} steps, {run.summary['evaluations']:7d} evaluations")

# %%
first = next(iter(runs.values()))
print(first.channels)
name = [c for c in first.channels if "speed" in c or "velocity" in c or c.endswith("/v") or c == "v"] or first.channels
ax = camber.plot.axes()
for law, run in runs.items():
    column = np.asarray(run[name[0]]).reshape(len(run), -1)[:, 0]
    ax.plot(run.time, column, label=law)
ax.set_xlabel("time [s]")
ax.set_ylabel(f"{name[0]} [{first[name[0]].unit}]")
ax.legend()
