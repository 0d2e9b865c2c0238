# %% [markdown]
# # Sensors, and a planner in Python
# A vehicle between posts: its LIDAR gives points, a few lines of Python turn them into free directions, and steer.

# %%
from typing import Any

import numpy as np

import camber

drive = camber.Drive(camber.example("scenarios/posts-with-sensors.toml"), record=True)
drive.step(0.5)
lidar = drive.sensors["lidar"]
points = lidar.points
print(f"{len(points)} points, measured at {lidar.time:.2f} s; other sensors: {', '.join(drive.sensors)}")
above = points[(points[:, 2] > -1.2) & (np.hypot(points[:, 0], points[:, 1]) > 3)]
ax = camber.plot.axes()
ax.scatter(points[:, 0], points[:, 1], s=1, color="0.8")
ax.scatter(above[:, 0], above[:, 1], s=3)
ax.set_xlabel("ahead [m]")
ax.set_ylabel("left [m]")
ax.set_aspect("equal")

# %% [markdown]
# The planner: among arcs of constant curvature, the one that stays clear of all points and ends nearest to a line. The line
# is 7.5 m to the left, in the row of posts, so that the vehicle has to pass beside them.

# %%
def plan(cloud: Any, goal_left: float) -> float:
    """The steer angle [rad] of the best arc."""
    obstacles = cloud[(cloud[:, 2] > -1.2) & (cloud[:, 0] > 3) & (cloud[:, 0] < 25)][:, :2]
    best, best_cost = 0.0, np.inf
    s = np.linspace(2, 20, 30)
    for steer in np.linspace(-0.25, 0.25, 21):
        kappa = np.tan(steer) / 3.3  # [1/m], for a wheelbase of 3.3 m
        path = np.column_stack([s, 0.5 * kappa * s**2])
        near = np.inf
        if len(obstacles):
            near = float(np.hypot(path[:, None, 0] - obstacles[None, :, 0], path[:, None, 1] - obstacles[None, :, 1]).min())
        cost = abs(path[-1, 1] - goal_left) + (50 / max(near, 0.1) if near < 3 else 0)
        if cost < best_cost:
            best, best_cost = float(steer), cost
    return best


track = []
while not drive.done and drive.time < 10:
    v = drive.view
    drive.step(0.1, steer=plan(drive.sensors["lidar"].points, 7.5 - v.y - 10 * v.yaw),
               throttle=min(1.0, max(0.0, 0.15 + 0.3 * (6 - v.speed))), brake=0)
    track.append((v.x, v.y))
print(f"after {drive.time:.1f} s: {drive.status} {drive.reason}, {np.hypot(*np.ptp(np.array(track), axis=0)):.1f} m on")
drive.result().plot()
