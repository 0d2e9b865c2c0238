# %% [markdown]
# # A motorcycle from scratch
# Lot and Da Lio derive a motorcycle with frames, points, bodies, forces and constraints ("A symbolic approach for automatic
# generation of the equations of motion of multibody systems", Multibody System Dynamics 12, 2004), with the data of Sharp
# (1971). Here it is written the same way in Python, and its eigenvalues are those of `models/motorcycle.toml`.
# Axes: x forward, y right, z down.

# %%
import numpy as np

import camber
from camber.lagrange import System, ground
from camber.symbolic import atan, cos, dot, sin, symbol, variable

s = System("motorcycle", gravity=(0, 0, symbol("g")))
x, y, psi, delta, phi, psi4, phi4, theta1, theta4 = s.coordinates("x y psi delta phi psi4 phi4 theta1 theta4")
tau = s.input("tau")
g, V = s.parameters(g=9.81, V=20.0)
mr, mf, Irx, Iry, Irz, Crxz, Ifx, Ifz = s.parameters(mr=217.45, mf=30.65, Irx=31.18, Iry=0.0, Irz=21.07, Crxz=1.7355,
                                                     Ifx=1.2338, Ifz=0.4420)
iry, ify, Rr, Rf, b, h, epsilon = s.parameters(iry=1.0508, ify=0.7186, Rr=0.3048, Rf=0.3048, b=0.4798, h=0.6157,
                                               epsilon=0.4715)
an, a, e, j, k = s.parameters(an=0.1158, a=0.9485376, e=0.0244, j=0.4167186306, k=0.8796329043)
f = s.parameter("f", sin(epsilon) * k - cos(epsilon) * j)
lx = s.parameter("lx", -an + Rf * sin(epsilon))
lz = s.parameter("lz", -(-sin(epsilon) * k * cos(epsilon) + cos(epsilon)**2 * Rf + sin(epsilon) * e - j
                         + cos(epsilon)**2 * j + sin(epsilon) * an) / cos(epsilon))
Cdelta, Zf = s.parameters(Cdelta=6.77, Zf=-1005.3)
Zr = s.parameter("Zr", -(mr + mf) * g - Zf)
sigma, Cr1, Cr2, Cf1, Cf2 = s.parameters(sigma=0.2438, Cr1=15831.0, Cr2=1325.6, Cf1=11174.0, Cf2=938.6)

# %% [markdown]
# Frames: along the path, leaning, the front assembly, the wheels. The front wheel has yaw and camber angles of its own:
# shorter expressions, for two constraints more.

# %%
T1 = ground.translate(x, y, 0).rotate("z", psi)
T2 = T1.rotate("x", phi)
T4 = T2.rotate("y", epsilon).translate(a, 0, 0).rotate("z", delta)
TWR = T2.translate(-b, 0, -Rr).rotate("y", theta1)
hub = T4.translate(lx, 0, lz).anchored.rotate("z", psi4).rotate("x", phi4)
TWF = hub.rotate("y", theta4)
front_heading, rear_heading = ground.rotate("z", psi4), ground.rotate("z", psi)
Cr = TWR.point(-Rr * sin(theta1), 0, Rr * cos(theta1))
Cf = TWF.point(-Rf * sin(theta4), 0, Rf * cos(theta4))

s.body("rear_wheel", TWR, inertia=(0, iry, 0))
s.body("rear_chassis", T2.point(0, 0, -h), mass=mr, inertia=(Irx, Iry, Irz), products=(0, Crxz, 0))
s.body("front_chassis", T4.point(e, 0, f), mass=mf, inertia=(Ifx, 0, Ifz))
s.body("front_wheel", TWF, inertia=(0, ify, 0))

Yr, Yf = variable("Yr"), variable("Yf")
s.force("rear_tire", rear_heading.vector(0, Yr, Zr), Cr, acting="rear_wheel")
s.force("front_tire", front_heading.vector(0, Yf, Zf), Cf, acting="front_wheel")
s.torque("steering", T4.vector(0, 0, tau - Cdelta * dot(delta)), acting="front_chassis", reacting="rear_chassis")

# %% [markdown]
# Wheels roll without slip along their planes; the axle of the front wheel is that of the fork. Tire forces follow slip and
# camber over the relaxation length.

# %%
slip_rear, slip_front = Cr.velocity("eulerian", T1), Cf.velocity("eulerian", front_heading)
s.nonholonomic("no_slip_rear", slip_rear.x)
s.nonholonomic("no_slip_front", slip_front.x)
axle, fork = hub.vector(0, 1, 0), T4.vector(0, 1, 0)
difference = axle.to(ground) - fork.to(ground)
rate = axle.rate().to(ground) - fork.rate().to(ground)
s.holonomic("spin_x", difference.x, rate=rate.x)
s.holonomic("spin_z", difference.z, rate=rate.z)
v_rear, v_front = Cr.velocity("absolute", T1), Cf.velocity("absolute", front_heading)
s.extra("Yr", sigma / v_rear.x * dot(Yr) + Yr - (Cr1 * atan(-v_rear.y / v_rear.x) + Cr2 * phi))
s.extra("Yf", sigma / v_front.x * dot(Yf) + Yf - (Cf1 * atan(-v_front.y / v_front.x) + Cf2 * phi4))
s.output("delta", delta)
s.output("phi", phi)

t, x1dot, y1dot = symbol("t"), variable("x1dot"), variable("y1dot")
s.linearize_about({x: V * t, theta1: -V * t / Rr, theta4: -V * t / Rf, x1dot: V},
                  independent=[x, y, psi, delta, phi],
                  moving_frame={dot(x): x1dot * cos(psi) - y1dot * sin(psi), dot(y): x1dot * sin(psi) + y1dot * cos(psi)},
                  relations={a: cos(epsilon) * k - e + j * sin(epsilon)})

# %%
equations = s.derive()
print(len(equations.dynamics), "equations of motion,", sum(e.operations for e in equations.dynamics), "operations as written")
modes = s.modes(sweep={"V": (1, 60, 0.5)})
modes.plot()

# %% [markdown]
# The same eigenvalues as the model file has, at 20 m/s and everywhere else:

# %%
file = camber.load(camber.example("models/motorcycle.toml"))
for speed in (5.0, 20.0, 45.0):
    mine, theirs = s.modes(V=speed).eigenvalues, file.modes(V=speed).eigenvalues
    difference_at = float(np.abs(np.sort_complex(mine) - np.sort_complex(theirs)).max())
    print(f"V = {speed:g} m/s: largest difference {difference_at:.1e} 1/s")
    assert difference_at < 1e-6
print("becomes stable at V =", [round(limit["V"], 3) for limit in modes.limits if limit["becomes"] == "stable"], "m/s")
