# %% [markdown]
# # A first drive
# Load a scenario, run it, look at what the vehicle did, change something, and compare.

# %%
import camber

lane = camber.load(camber.example("scenarios/double-lane-change.toml"))
run = lane.run()
run

# %% [markdown]
# A run has key figures, and channels over time as NumPy arrays that know their columns and units.

# %%
yaw_rate = run["chassis/rates"]["yaw"]
print("peak yaw rate", run.figures["peak_yaw_rate"], "of", len(yaw_rate), "samples")
run.plot("chassis/rates.yaw")

# %%
run.plot()

# %% [markdown]
# The same drive on a wet road: keys are set as `--set` does it; a typo is an error with a suggestion.

# %%
wet = lane.with_({"ground.friction": 0.4}).run()
try:
    lane["ground.fricton"] = 0.4
except camber.Error as error:
    print(error)
comparison = camber.compare([run, wet], names=["dry", "wet"])
for difference in comparison.worst(3):
    print(difference.channel, difference.column, f"{difference.difference:.3g} {difference.unit} at {difference.time:.2f} s")

# %%
ax = run.plot("chassis/rates.yaw")
ax.plot(wet.time, wet["chassis/rates"]["yaw"], label="wet")
ax.set_xlim(29, 40)
ax.legend(["dry", "wet"])

# %% [markdown]
# A controller of your own, 100 times a second, in place of the scenario's driver:

# %%
drive = camber.Drive(camber.example("scenarios/step-steer.toml"), {"vehicle.start.speed": 15}, record=True)
while drive.time < 4:
    v = drive.view
    drive.step(0.01, steer=-0.05 * (v.y - 1.0) - 0.5 * v.yaw - 0.05 * v.yaw_rate,
               throttle=min(1.0, max(0.0, 0.1 + 0.3 * (15 - v.speed))), brake=0)
print(f"after {drive.time:g} s it is {drive.view.y:.2f} m to the left")
drive.result().plot("chassis/position.y")
