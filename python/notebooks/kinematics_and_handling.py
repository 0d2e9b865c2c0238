# %% [markdown]
# # What a change does: kinematics, then handling
# The rig moves the wheels of a vehicle with its chassis held. Here the front spring gets stiffer: what the rig shows, and
# what a step of the steering makes of it.

# %%
import numpy as np

import camber

hmmwv = camber.load(camber.example("models/hmmwv.toml"))
rig = hmmwv.rig(travel=(-0.08, 0.08))
front = rig["front"]
print("columns:", ", ".join(front.columns[:8]), "...")
rig.plot("camber_deg")

# %%
rig.plot("toe_deg")

# %%
stiff = hmmwv.with_({"axles.front.spring.stiffness": 200e3})
for name, model in (("as it is", hmmwv), ("stiffer", stiff)):
    sweep = model.rig(travel=(-0.05, 0.05))["front"]
    rate = np.interp(0.0, sweep["travel_m"], sweep["wheel_rate_N_per_m"])
    print(f"{name:10s} wheel rate {rate / 1000:.1f} N/mm, ride frequency "
          f"{np.interp(0.0, sweep['travel_m'], sweep['ride_frequency_Hz']):.2f} Hz")

# %% [markdown]
# Body modes on the tires' springs, before and after:

# %%
for name, model in (("as it is", hmmwv), ("stiffer", stiff)):
    modes = model.modes(standing=True, equilibrium=True)
    slow = sorted(f for f in modes.frequencies if 0.5 < f < 4)
    print(f"{name:10s} body frequencies [Hz]: {', '.join(f'{f:.2f}' for f in sorted(set(np.round(slow, 3))))}")

# %%
step = camber.load(camber.example("scenarios/step-steer.toml"))
runs = [step.run(), step.with_({"vehicle:axles.front.spring.stiffness": 200e3}).run()]
ax = runs[0].plot("chassis/rates.yaw")
ax.plot(runs[1].time, runs[1]["chassis/rates"]["yaw"])
ax.legend(["as it is", "stiffer in front"])
for name in ("peak_roll_deg", "peak_yaw_rate"):
    if name in runs[0].figures:
        print(name, *[f"{run.figures[name].value:.4g}" for run in runs], runs[0].figures[name].unit)
