# %% [markdown]
# # Soft soil
# Ground that yields: heights and soils of a terrain over arrays, and a drive through loose sand against one on hard ground.

# %%
import numpy as np

import camber

ground = camber.load(camber.example("terrains/off-road.toml"))
print("soils:", ground.soils)
camber.plot.terrain(ground, (0, 120), (-40, 40))

# %%
x = np.linspace(0, 100, 501)
points = ground.query(x, 0.0)
print(f"heights {points.height.min():.2f} to {points.height.max():.2f} m, steepest normal "
      f"{np.degrees(np.arccos(points.normal[:, 2].min())):.1f} deg")
ax = camber.plot.axes()
ax.plot(x, points.height)
ax.set_xlabel("x [m]")
ax.set_ylabel("height [m]")

# %%
hills = camber.load(camber.example("scenarios/off-road-hills.toml"), {"run.duration": 20})
run = hills.run()
sinkage = np.asarray(run["wheels/sinkage"])
print(f"wheels sink in by {1000 * sinkage[200:].mean():.0f} mm on average, {1000 * sinkage.max():.0f} mm at most")
run.plot("wheels/sinkage")

# %%
run.plot("wheels/load")
