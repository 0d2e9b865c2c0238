# %% [markdown]
# # A study: what varies, what comes out, what matters
# A step steer of a vehicle whose load, grip and speed are uncertain: the spread of the response, the input that causes
# it, the worst drive, and springs that do better.

# %%
import camber

step = camber.load(camber.example("scenarios/step-steer.toml"))
inputs = {
    "speed": {"keys": ["vehicle.start.speed", "driver.speed.target"], "unit": "m/s", "distribution": camber.Uniform(19, 25)},
    "chassis mass": {"key": "vehicle:chassis.mass", "unit": "kg", "distribution": camber.Normal(2077, 60, low=1900)},
    "front spring": {"key": "vehicle:axles.front.spring.stiffness", "unit": "N/m",
                     "distribution": camber.Triangular(140e3, 167071, 190e3)},
    "ground.friction": camber.Beta(4, 2, 0.5, 1.0),
}
study = camber.Study(step, inputs, plan=camber.Sobol(64), kernel="lanes", seed=7,
                     keep={"curves": ["chassis/rates.yaw"]})
result = study.run()
result

# %% [markdown]
# The table has a row for each drive. Intervals hold whatever the distribution is.

# %%
print(result.table.describe().loc[["mean", "std", "min", "max"], list(result.figures)].to_string())
p95 = result.quantile("steady_roll_deg", 0.95, ci=0.9)
print(f"95 % of the drives roll less than {p95.value:.2f} deg ({p95.low:.2f} to {p95.high:.2f} with 90 %)")
result.plot.histogram("steady_roll_deg")

# %%
result.plot.curves("chassis/rates.yaw")

# %% [markdown]
# Which input matters? A first answer from the same drives, and Sobol' indices from a plan that was made for them.

# %%
result.plot.tornado("steady_roll_deg")

# %%
shares = camber.Study(step, inputs, plan=camber.Saltelli(32), kernel="lanes", seed=3).run()
sensitivity = shares.sensitivity("steady_roll_deg")
for name, alone, total in zip(sensitivity.inputs, sensitivity.first, sensitivity.total):
    print(f"{name:16s} alone {alone:5.2f}, with others {total:5.2f}")
shares.plot.sensitivity("steady_roll_deg")
assert sensitivity.inputs[int(sensitivity.total.argmax())] == "speed"

# %% [markdown]
# Any drive can be driven again with everything that it has, such as the worst:

# %%
worst = result.worst("steady_roll_deg", 1)[0]
print(worst, worst.figures["steady_roll_deg"])
worst.run().plot("chassis/attitude.roll")

# %% [markdown]
# Springs that overshoot less, by CMA-ES over drives:

# %%
best = camber.minimize(step, {"vehicle:axles.front.spring.stiffness": (120e3, 220e3),
                              "vehicle:axles.rear.spring.stiffness": (250e3, 450e3)},
                       cost="yaw_overshoot", evaluations=60, restarts=0)
before, after = step.run().figures["yaw_overshoot"].value, best.run().figures["yaw_overshoot"].value
print(best)
print(f"overshoot {before:.4f} before, {after:.4f} after")
assert best.result is not None and before is not None and after is not None and after < before
best.result.plot.history()
