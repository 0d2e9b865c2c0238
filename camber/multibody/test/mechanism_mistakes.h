#pragma once

// Files with mistakes and what the reader says of them, complete and word for word.

namespace camber::multibody {

struct Mistake {
  const char* text;     // from line 3 on
  const char* message;  // line by line, without the file's name
};

inline constexpr Mistake kMistakes[] = {
    {R"toml([bodies]
a = { mass = 1.5, inertia = [1, 1.2, 1.3] }
b = { mass = 1.5, inertia = [1, 1.2, 1.3] }
[joints]
j = { type = "planar", child = "a", parent_frame = { at = [0, 0, 0] }, x_axis = "y" }
k = { type = "planar", child = "b", frame = { at = [0, 0, 0] }, x_axis = "y" }
)toml",
     R"toml(7:81: joints.j.x_axis: give a joint either by its place in the design configuration (at, axis, frame) or on each body (parent_frame, child_frame)
8:74: joints.k.x_axis: gives the joint's frame again; it is already given by "frame")toml"},
    {R"toml([bodies]
a = { mass = 1.5, rod = { from = [0, 0, 0], to = [0, 0, 1], radius = 0.1 }, inertia_axes = { euler_deg = [0, 18, 0] } }
[joints]
j = { type = "free", child = "a", x_axis = "y" }
)toml",
     R"toml(4:92: bodies.a.inertia_axes: requires inertia, box or cylinder: only these have axes of their own
6:44: joints.j.x_axis: requires axis)toml"},
    {R"toml([bodies]
a = { mass = 1.5, inertia = [1, 1.2, 1.3] }
[joints]
j = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z" }
[couplers]
c = { gear = ["j", "j"], ratio = 2 }
)toml",
     R"toml(8:20: couplers.c.gear[1]: is the same as the first; a gear couples two different joints)toml"},
    {R"toml([bodies]
crank = { mass = -3 }
)toml",
     R"toml(4:18: bodies.crank.mass: must be >= 0 kg, got -3)toml"},
    {R"toml([bodies]
crank = { mass = true }
)toml",
     R"toml(4:18: bodies.crank.mass: expected a number [kg], found true)toml"},
    {R"toml([bodies]
crank = { center = [1, 2, 3] }
)toml",
     R"toml(4:9: bodies.crank.mass: missing)toml"},
    {R"toml([bodies]
crank = { mass = 1, center = [1, 2] }
)toml",
     R"toml(4:30: bodies.crank.center: expected 3 numbers, found 2)toml"},
    {R"toml([bodies]
crank = { mass = 1, center = 7 }
)toml",
     R"toml(4:30: bodies.crank.center: expected a point: a name of [points], three numbers [m], { body, at } or { between })toml"},
    {R"toml([bodies]
crank = { mass = 1, inertia = [1, 2, 3.5] }
)toml",
     R"toml(4:31: bodies.crank.inertia: no body has these principal moments: 1 + 2 < 3.5 kg m^2)toml"},
    {R"toml([bodies]
crank = { mass = 1, inertia = [1, 2, 3, 4] }
)toml",
     R"toml(4:31: bodies.crank.inertia: expected 3 numbers (xx yy zz), 6 (and xy xz yz) or 3 rows, found 4 numbers)toml"},
    {R"toml([bodies]
crank = { mass = 1, inertia = [[1, 0, 0], [0, 1, 0]] }
)toml",
     R"toml(4:31: bodies.crank.inertia: expected 3 rows, found 2)toml"},
    {R"toml([bodies]
crank = { mass = 1, inertia = [1, -2, 3] }
)toml",
     R"toml(4:31: bodies.crank.inertia: must not be negative about any axis, its smallest principal moment is -2 kg m^2)toml"},
    {R"toml([bodies]
crank = { mass = 1, box = [1, 2, -3] }
)toml",
     R"toml(4:27: bodies.crank.box: its edges must be >= 0 m, got -3)toml"},
    {R"toml([bodies]
crank = { mass = 1, sphere = 0, box = [1, 2, 3] }
)toml",
     R"toml(4:30: bodies.crank.sphere: gives the inertia again; it is already given by "box")toml"},
    {R"toml([bodies]
crank = { mass = 1, rod = { from = [0, 0, 0], to = [0, 0, 0], radius = 0.1 } }
)toml",
     R"toml(4:27: bodies.crank.rod: its ends must be apart)toml"},
    {R"toml([bodies]
crank = 3
)toml",
     R"toml(4:9: bodies.crank: expected a table, found integer 3)toml"},
    {R"toml([bodies]
world = { mass = 1 }
)toml",
     R"toml(4:9: bodies.world: the name of the world is reserved; give the body another name)toml"},
    {R"toml(gravity = 9.81
)toml",
     R"toml(3:11: gravity: expected an array of numbers [m/s^2], found number 9.81)toml"},
    {R"toml([bodies]
crank = { mass = inf }
)toml",
     R"toml(4:18: bodies.crank.mass: must be finite, got inf)toml"},
    {R"toml([parameters]
length = 0.5
[bodies]
crank = { mass = 1, center = [0, "2*lenght", 0] }
)toml",
     R"toml(6:37: bodies.crank.center[1]: unknown name "lenght"; did you mean "length"?)toml"},
    {R"toml([bodies]
crank = { mass = "2*(3 + ", center = [0, "1/0", "sqrt(-1)"] }
)toml",
     R"toml(4:26: bodies.crank.mass: expected a value, found the end of the expression
4:44: bodies.crank.center[1]: division by zero
4:49: bodies.crank.center[2]: evaluate: sqrt(-1) has no finite value)toml"},
    {R"toml([parameters]
a = "b + 1"
b = "2*a"
)toml",
     R"toml(5:5: parameters.b: the parameter "a" is defined by itself)toml"},
    {R"toml([parameters]
t = 3
"my mass" = 4
and = 5
)toml",
     R"toml(4:5: parameters.t: t is the time, a parameter needs another name
5:13: parameters."my mass": a name is a letter or '_', then letters, digits, '_' or '.'; got "my mass"
6:7: parameters.and: a reserved word cannot be a parameter's name)toml"},
    {R"toml([points]
P = ["Q.x", 0, 0]
Q = ["P.x", 0, 0]
)toml",
     R"toml(5:6: points.Q[0]: the point "P" is defined by itself)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "revolute", parent = "wolrd", child = "c", at = "P", axis = "z" }
[points]
Pin = [0, 0, 0]
)toml",
     R"toml(7:35: joints.j.parent: no body "wolrd"; did you mean "world"?
7:52: joints.j.child: no body "c"
7:62: joints.j.at: no point "P")toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "revolut", child = "a", at = [0, 0, 0], axis = "z" }
)toml",
     R"toml(7:14: joints.j.type: must be one of "fixed", "revolute", "prismatic", "screw", "cylindrical", "universal", "planar", "soft_hinge", "spherical", "free", got text "revolut"; did you mean "revolute"?)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "revolute", chlid = "a", at = [0, 0, 0], axis = "z" }
)toml",
     R"toml(7:5: joints.j.child: missing
7:26: joints.j.chlid: unknown key; did you mean "child"?)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
"j.1" = { type = "spherical", child = "a", at = [0, 0, 0] }
)toml",
     R"toml(7:9: joints."j.1": a joint's name must have no '.': "name.1" is the second axis of a joint)toml"},
    {R"toml(inependent = ["a"]
[bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
a = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z" }
b = { type = "spherical", parent = "a", child = "b", at = [1, 0, 0] }
)toml",
     R"toml(3:1: inependent: unknown key; did you mean "independent"?)toml"},
    {R"toml(independent = ["a", "b", "c", "b.3", "a", 4]
[bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
a = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z" }
b = { type = "spherical", parent = "a", child = "b", at = [1, 0, 0] }
)toml",
     R"toml(3:21: independent[1]: joint "b" has 3 axes: name one of them, "b.0" to "b.2"
3:26: independent[2]: no joint axis "c"
3:31: independent[3]: joint "b" is spherical, it has 3 axes, there is no axis 3
3:38: independent[4]: is named twice
3:43: independent[5]: expected a text, found integer 4)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "spherical", child = "world", parent = "a", at = [0, 0, 0] }
)toml",
     R"toml(7:35: joints.j.child: must not be the world)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "spherical", child = "a", parent = "a", at = [0, 0, 0] }
)toml",
     R"toml(7:35: joints.j.child: must not be the same body as parent, "a")toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "revolute", child = "a" }
)toml",
     R"toml(7:5: joints.j.at: missing
7:5: joints.j.axis: missing)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "revolute", child = "a", at = [0, 0, 0], axis = [0, 0, 0] }
)toml",
     R"toml(7:62: joints.j.axis: must be a direction, its length is 0)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "revolute", child = "a", at = [0, 0, 0], axis = "up" }
)toml",
     R"toml(7:62: joints.j.axis: expected a direction: "x" or "-z", three numbers, two points [from, to], or { body, axis })toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "planar", child = "a", axis = "z", x_axis = [0, 0, 2] }
)toml",
     R"toml(7:58: joints.j.x_axis: must not be along axis)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "universal", child = "a", at = [0, 0, 0], axis = "z", second_axis = [0, 1, 1] }
)toml",
     R"toml(7:82: joints.j.second_axis: must be perpendicular to axis, got 45 deg)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z", second_axis = "x" }
)toml",
     R"toml(7:81: joints.j.second_axis: only a universal joint has a second axis)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "revolute", child = "a", at = [0, 0, 0], parent_frame = { axis = "z" } }
)toml",
     R"toml(7:44: joints.j.at: give a joint either by its place in the design configuration (at, axis, frame) or on each body (parent_frame, child_frame))toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "revolute", child = "a", at = [0, 0, 0], frame = { at = [0, 0, 0] } }
)toml",
     R"toml(7:44: joints.j.at: gives the joint's frame again; it is already given by "frame")toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "revolute", child = "a", frame = { axis = "z", euler_deg = [0, 0, 90] } }
)toml",
     R"toml(7:73: joints.j.frame.euler_deg: gives the orientation again; it is already given by "axis")toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "revolute", child = "a", frame = { quaternion = [1, 1, 0, 0] } }
)toml",
     R"toml(7:62: joints.j.frame.quaternion: must have length 1, got 1.4142135623730951)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "revolute", child = "a", frame = { position = [1, 1, 0] } }
)toml",
     R"toml(7:49: joints.j.frame.position: unknown key)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
[joints.a]
type = "revolute"
child = "a"
at = [0, 0, 0]
axis = "z"
pitch = 0.1
)toml",
     R"toml(10:9: joints.a.pitch: only a screw has one)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "screw", child = "a", at = [0, 0, 0], axis = "z" }
)toml",
     R"toml(7:5: joints.j.pitch: missing)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
[joints.a]
type = "revolute"
child = "a"
at = [0, 0, 0]
axis = "z"
stiffness = -5
friction_speed = 0
)toml",
     R"toml(10:13: joints.a.stiffness: must be >= 0, got -5
11:18: joints.a.friction_speed: must be > 0, got 0)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
[joints.a]
type = "revolute"
child = "a"
at = [0, 0, 0]
axis = "z"
lower = 0.5
)toml",
     R"toml(5:1: joints.a.stop_stiffness: missing)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
[joints.a]
type = "revolute"
child = "a"
at = [0, 0, 0]
axis = "z"
lower = 0.5
upper_deg = 10
stop_stiffness = 100
)toml",
     R"toml(10:9: joints.a.lower: the lower one must be below the upper, got 0.5 and 0.17453292519943295)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
[joints.a]
type = "revolute"
child = "a"
at = [0, 0, 0]
axis = "z"
force = 3
)toml",
     R"toml(10:9: joints.a.force: this axis is rotational: give a torque)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
[joints.a]
type = "revolute"
child = "a"
at = [0, 0, 0]
axis = "z"
position = 0.5
position_deg = 30
)toml",
     R"toml(11:16: joints.a.position_deg: gives the position again; it is already given by "position")toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
[joints.a]
type = "revolute"
child = "a"
at = [0, 0, 0]
axis = "z"
position = [1, 2]
)toml",
     R"toml(10:12: joints.a.position: expected 1 number, found 2)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
[joints.a]
type = "revolute"
child = "a"
at = [0, 0, 0]
axis = "z"
motion = "0.3*sin(2*time)"
)toml",
     R"toml(10:21: joints.a.motion: unknown name "time")toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
[joints.a]
type = "revolute"
child = "a"
at = [0, 0, 0]
axis = "z"
motion = "log(t)"
)toml",
     R"toml(10:10: joints.a.motion: evaluate: log(t) has no finite value at t = 0)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
[joints.a]
type = "revolute"
child = "a"
at = [0, 0, 0]
axis = "z"
axes = [{ stiffness = 3 }, { stiffness = 4 }]
)toml",
     R"toml(10:8: joints.a.axes: must have 1 entries, got 2)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
[joints.a]
type = "revolute"
child = "a"
at = [0, 0, 0]
axis = "z"
damping = 1
axes = [{ stiffness = 3 }]
)toml",
     R"toml(11:8: joints.a.axes: the loads of the axes are already given)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "fixed", child = "a", damping = 4 }
)toml",
     R"toml(7:5: joints.j: a fixed joint has no axis for springs, dampers, stops or motions)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "prismatic", child = "a", axis = "x", position_deg = 4, rest_deg = 5, torque = 6 }
)toml",
     R"toml(7:67: joints.j.position_deg: the coordinates of this joint are not all angles
7:81: joints.j.rest_deg: this axis is translational and has no angle
7:93: joints.j.torque: this axis is translational: give a force)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "cylindrical", child = "a", at = [0, 0, 0], axis = "x", damping = 4 }
)toml",
     R"toml(7:5: joints.j: some axes of a cylindrical joint are rotational and some translational: give each its own, axes = [{ ... }, ...])toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "spherical", child = "a", at = [0, 0, 0], cut = true }
)toml",
     R"toml(7:62: joints.j.cut: no other joint carries body "a", so this one must; cut a joint whose child another joint carries, or swap parent and child along the chain between them)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "spherical", child = "a", at = [0, 0, 0], stiffness = 4 }
)toml",
     R"toml(7:68: joints.j.stiffness: springs and limits need a coordinate; a spherical joint takes damping, friction, force and motion only (a bushing holds a body elastically))toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
j = { type = "spherical", child = "a", at = [0, 0, 0], position = [0, 0, 0, 0], speed = [1, 2] }
)toml",
     R"toml(7:67: joints.j.position: begins with a quaternion, whose length must be 1, got 0
7:89: joints.j.speed: expected 3 numbers, found 2)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[rods]
tie = { a = "a", b = "b", points = [[1, 2, 3], [1, 2, 3]] }
)toml",
     R"toml(7:36: rods.tie.points: must be > 0 m, got 0)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[rods]
tie = { a = "a", points = [[1, 2, 3]] }
)toml",
     R"toml(7:7: rods.tie.b: missing
7:27: rods.tie.points: expected two points, on a and on b, found 1)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
a = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z" }
b = { type = "spherical", parent = "a", child = "b", at = [1, 0, 0] }
[couplers]
c = { terms = { a = 0, "b.1" = 3, x = 2 } }
d = { gear = ["a"], ratio = 2 }
e = { }
)toml",
     R"toml(10:39: couplers.c.terms.x: no joint axis "x"
11:14: couplers.d.gear: expected two joints, found 1
12:5: couplers.e.terms: missing; or give gear = ["first", "second"] with ratio or teeth)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
a = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z" }
b = { type = "spherical", parent = "a", child = "b", at = [1, 0, 0] }
[couplers]
c = { terms = { "b.1" = 3 } }
)toml",
     R"toml(10:15: couplers.c.terms: joint "b" is spherical, it has no coordinate to couple)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[joints]
a = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z" }
b = { type = "revolute", parent = "a", child = "b", at = [1, 0, 0], axis = "y" }
[couplers]
c = { gear = ["a", "b"] }
)toml",
     R"toml(10:5: couplers.c.ratio: missing; or give teeth = [first, second])toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[rolling]
r = { wheel = "a", center = [0, 0, 1], axis = "y", radius = -1 }
)toml",
     R"toml(7:61: rolling.r.radius: must be > 0 m, got -1)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[springs]
s = { a = "a", b = "b", points = [[0, 0, 0], [0, 0, 1]], stiffness = -2, spring = { deflection = [0, 0], force = [1, 2] }, damper = { speed = [1], force = [1] } }
)toml",
     R"toml(7:70: springs.s.stiffness: must be >= 0 N/m, got -2
7:83: springs.s.spring: must be increasing in its first column, got 0
7:133: springs.s.damper: needs two columns of the same length >= 2, got 1 and 1)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[bushings]
s = { a = "a", b = "b", stiffness = [1, 2, 3] }
)toml",
     R"toml(7:5: bushings.s.frame: missing
7:37: bushings.s.stiffness: expected 6 numbers or 6 rows of 6, found 3 numbers)toml"},
    {R"toml([bodies]
a = { mass = 1.5 }
b = { mass = 2.5 }
[wrenches]
w = { body = "c", in = "boby", force = [1, 2] }
)toml",
     R"toml(7:14: wrenches.w.body: no body "c"
7:24: wrenches.w.in: must be one of "world", "body", got text "boby"; did you mean "body"?
7:40: wrenches.w.force: expected 3 numbers, found 2)toml"},
    {R"toml([bodies.crank]
mas = 2
[bodies.rocker]
mass = -1
inertia = [1, 1, 9]
[joints.crank]
type = "revolute"
child = "crnk"
at = [0, 0, 0]
axis = "q"
[springs.s]
b = "rocker"
points = ["A", "B"]
stiffnes = 3
)toml",
     R"toml(3:1: bodies.crank.mass: missing
4:1: bodies.crank.mas: unknown key; did you mean "mass"?
6:8: bodies.rocker.mass: must be >= 0 kg, got -1
7:11: bodies.rocker.inertia: no body has these principal moments: 1 + 1 < 9 kg m^2
10:9: joints.crank.child: no body "crnk"; did you mean "crank"?
12:8: joints.crank.axis: expected a direction: "x" or "-z", three numbers, two points [from, to], or { body, axis }
15:11: springs.s.points[0]: no point "A"
15:16: springs.s.points[1]: no point "B"
16:1: springs.s.stiffnes: unknown key; did you mean "stiffness"?)toml"},
};

}  // namespace camber::multibody
