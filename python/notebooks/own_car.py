# %% [markdown]
# # Your own car
# A vehicle is a dictionary in the shape of its file. Start from one that is there, change it in Python, check it, and drive.

# %%
import camber

car = camber.load(camber.example("models/mcpherson-car.toml"))
tree = car.tree
print("axles:", list(tree["axles"]), " mass of the chassis:", tree["chassis"]["mass"], "kg")

# %% [markdown]
# Forty percent stiffer springs in front, and 80 kg more: no file is needed.

# %%
tree["chassis"]["mass"] += 80
tree["axles"]["front"]["spring"]["stiffness"] *= 1.4
mine = camber.model(tree, car.path)  # its folder is where tires and equipment are looked for
check = mine.check()
print("ok:", check.ok, " degrees of freedom:", check["degrees_of_freedom"])

# %% [markdown]
# Mistakes are found as in files, with key and value:

# %%
try:
    bad = car.tree
    bad["chassis"]["mass"] = -5.0
    camber.model(bad, car.path)
except camber.Error as error:
    print(error)

# %%
scenario = camber.load(camber.example("scenarios/small-car-step-steer.toml"))
before = scenario.run()
scenario.use("vehicle", mine)
after = scenario.run()
for name, figure in before.figures.items():
    print(f"{name:32s} {figure.value!s:>22} -> {after.figures[name].value!s:>22} {figure.unit}")

# %%
ax = before.plot("chassis/rates.yaw")
ax.plot(after.time, after["chassis/rates"]["yaw"])
ax.legend(["as built", "stiffer and heavier"])
