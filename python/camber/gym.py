"""Environments for reinforcement learning, in the shape of Gymnasium.

    env = camber.gym.make("camber/LaneChange-v0")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

``make_vec(name, num_envs=64)`` steps many in lanes and on all cores. Gymnasium itself is optional: if it is installed, spaces and base
classes are its own. Actions are (steer, pedal), both from -1 to 1: a share of the largest steer angle, left is positive,
and throttle (above 0) or brake (below 0).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from camber._arrays import numbers
from camber._batch import Batch, BatchView
from camber._errors import Error, unknown_name
from camber._share import example

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

__all__ = ["Box", "DriveToGoal", "Env", "LaneChange", "OffRoad", "Task", "VectorEnv", "make", "make_vec", "tasks"]

try:
    import gymnasium as _gymnasium
except ImportError:
    _gymnasium = None


class Box:
    """Numbers between low and high: what a space of Gymnasium does, for those who have not installed it."""

    def __init__(self, low: npt.ArrayLike, high: npt.ArrayLike, dtype: Any = np.float32) -> None:
        self.low = np.asarray(low, dtype=dtype)
        self.high = np.asarray(high, dtype=dtype)
        self.shape: tuple[int, ...] = self.low.shape
        self.dtype = np.dtype(dtype)
        self._rng = np.random.default_rng()

    def seed(self, seed: int | None = None) -> None:
        """Starts the stream of sample() anew."""
        self._rng = np.random.default_rng(seed)

    def sample(self) -> npt.NDArray[Any]:
        """A random element; a side without a bound is taken as 1 (or -1) away."""
        low = np.where(np.isfinite(self.low), self.low, -1.0)
        high = np.where(np.isfinite(self.high), self.high, 1.0)
        return self._rng.uniform(low, high).astype(self.dtype)

    def contains(self, x: Any) -> bool:
        """Whether x is an element."""
        x = np.asarray(x)
        return x.shape == self.shape and bool(np.all((x >= self.low) & (x <= self.high)))

    def __contains__(self, x: Any) -> bool:
        return self.contains(x)

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Box) and self.shape == other.shape and self.dtype == other.dtype
                and bool(np.all(self.low == other.low) and np.all(self.high == other.high)))

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))

    def __repr__(self) -> str:
        return f"Box({self.low}, {self.high}, {self.shape}, {self.dtype})"


def _make_box(low: npt.ArrayLike, high: npt.ArrayLike) -> Any:
    if _gymnasium is None:
        return Box(low, high)
    return _gymnasium.spaces.Box(np.asarray(low, dtype=np.float32), np.asarray(high, dtype=np.float32), dtype=np.float32)


class Task:
    """What an environment asks for, of all members of a batch at once. Derive from it for tasks of your own."""

    scenario = "scenarios/step-steer.toml"
    settings: dict[str, Any] = {}
    max_steer = 0.5  # [rad] that an action of 1 asks for
    interval = 0.05  # [s] between two actions
    duration = 20.0  # [s] after which an episode is cut off
    observation_names: tuple[str, ...] = ()

    def begin(self, members: npt.NDArray[np.intp], rngs: list[np.random.Generator], view: BatchView) -> None:
        """Starts an episode of some members: draws goals and the like."""

    def observe(self, view: BatchView) -> Array:
        """(members, observations)."""
        raise NotImplementedError

    def judge(self, view: BatchView, action: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Rewards, and which episodes have ended, well or not, apart from drives that fail."""
        raise NotImplementedError

    def info(self, member: int) -> dict[str, Any]:
        """What a reader may like to know about a member's episode."""
        return {}


class LaneChange(Task):
    """Changes the lane by 3.5 m within 3 s at 20 m/s, and keeps the speed."""

    scenario = "scenarios/step-steer.toml"
    settings = {"vehicle.start.speed": 20, "run.duration": 1000}
    max_steer = 0.1
    interval = 0.02
    duration = 8.0
    observation_names = ("offset from the lane [m]", "lane in 0.5 s [m]", "lane in 1 s [m]", "yaw [rad]",
                         "lateral speed [m/s]", "yaw rate [rad/s]", "speed - 20 [m/s]", "steer [rad]")
    start, width, over = 1.0, 3.5, 3.0  # [s], [m], [s]

    def lane(self, time: npt.ArrayLike) -> Array:
        """Middle of the lane [m]: the curve of least jerk."""
        s = np.clip((np.asarray(time) - self.start) / self.over, 0, 1)
        return np.asarray(self.width * s**3 * (10 - 15 * s + 6 * s**2), dtype=float)

    def observe(self, view: BatchView) -> Array:
        """(members, 8), as observation_names says."""
        return np.column_stack([view.y - self.lane(view.time), self.lane(view.time + 0.5) - view.y,
                                self.lane(view.time + 1) - view.y, view.yaw, view.lateral_speed, view.yaw_rate,
                                view.speed - 20, view.steer])

    def judge(self, view: BatchView, action: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
        """1 a second for a vehicle in the middle of its lane; ends 3 m off."""
        off = np.abs(view.y - self.lane(view.time))
        reward = self.interval * (1 - off**2 - 0.02 * (view.speed - 20) ** 2 - 0.1 * action[:, 0] ** 2)
        return reward, off > 3


class DriveToGoal(Task):
    """Drives on flat ground to a goal 20 to 60 m away, anywhere around, and stops there."""

    scenario = "scenarios/step-steer.toml"
    settings = {"vehicle.start.speed": 3, "run.duration": 1000}
    interval = 0.1
    duration = 60.0
    distance = (20.0, 60.0)  # [m] of goals
    ahead = np.pi  # [rad] to both sides
    observation_names = ("goal ahead [m]", "goal to the left [m]", "speed [m/s]", "yaw rate [rad/s]", "steer [rad]",
                         "roll [rad]", "pitch [rad]", "grade [1]")

    def __init__(self) -> None:
        self.goal = np.zeros((0, 2))
        self._before = np.zeros(0)

    def _offset(self, view: BatchView) -> tuple[Array, Array]:
        dx, dy = self.goal[:, 0] - view.x, self.goal[:, 1] - view.y
        c, s = np.cos(view.yaw), np.sin(view.yaw)
        return c * dx + s * dy, c * dy - s * dx

    def begin(self, members: npt.NDArray[np.intp], rngs: list[np.random.Generator], view: BatchView) -> None:
        """Draws goals."""
        if len(self.goal) != len(view.x):
            self.goal = np.zeros((len(view.x), 2))
            self._before = np.zeros(len(view.x))
        for member, rng in zip(members, rngs):
            far, angle = rng.uniform(*self.distance), view.yaw[member] + rng.uniform(-self.ahead, self.ahead)
            self.goal[member] = view.x[member] + far * np.cos(angle), view.y[member] + far * np.sin(angle)
            self._before[member] = far

    def observe(self, view: BatchView) -> Array:
        """(members, 8), as observation_names says."""
        ahead, left = self._offset(view)
        return np.column_stack([ahead, left, view.speed, view.yaw_rate, view.steer, view.roll, view.pitch, view.grade])

    def judge(self, view: BatchView, action: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Meters of progress, less a little for time; 20 more at the goal; ends there or 150 m away."""
        far = np.hypot(*self._offset(view))
        reached = far < 3
        reward = self._before - far - 0.1 * self.interval + 20 * reached
        self._before = far
        return reward, reached | (far > 150)

    def info(self, member: int) -> dict[str, Any]:
        """The goal [m], and the distance to it [m]."""
        return {"goal": self.goal[member].copy(), "distance": float(self._before[member])}


class OffRoad(DriveToGoal):
    """Drives over hills to a goal 20 to 60 m ahead, without rolling over."""

    scenario = "scenarios/off-road-hills.toml"
    settings = {"run.duration": 1000}
    ahead = 0.8


tasks: dict[str, type[Task]] = {"camber/LaneChange-v0": LaneChange, "camber/DriveToGoal-v0": DriveToGoal,
                                "camber/OffRoad-v0": OffRoad}
"""The environments by name; add your own."""


def _find_task(task: str | Task) -> Task:
    if isinstance(task, Task):
        return task
    if task not in tasks:
        raise unknown_name("environment", task, list(tasks))
    return tasks[task]()


_Env: Any = _gymnasium.Env if _gymnasium is not None else object
_VectorEnv: Any = _gymnasium.vector.VectorEnv if _gymnasium is not None and hasattr(_gymnasium, "vector") else object


class VectorEnv(_VectorEnv):  # type: ignore[misc]
    """num_envs environments of one task, stepped together.

    A member whose episode has ended is reset by the next step, whose action for it is ignored and whose reward is 0
    (Gymnasium's autoreset mode NEXT_STEP).
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": "NextStep"}

    def __init__(self, task: str | Task, num_envs: int, *, set: dict[str, Any] | None = None, seed: int = 1,
                 threads: int = 0) -> None:
        self.task = _find_task(task)
        self.num_envs = num_envs
        self._batch = Batch(example(self.task.scenario), num_envs, set={**self.task.settings, **(set or {})}, seed=seed,
                            threads=threads)
        self._start = [self._batch.state(i) for i in range(num_envs)]
        self._rngs = [np.random.default_rng([seed, i]) for i in range(num_envs)]
        self._over = np.ones(num_envs, dtype=bool)
        count = len(self.task.observation_names)
        infinite = np.full(count, np.inf)
        self.single_action_space = _make_box([-1.0, -1.0], [1.0, 1.0])
        self.single_observation_space = _make_box(-infinite, infinite)
        self.action_space = _make_box(np.full((num_envs, 2), -1.0), np.full((num_envs, 2), 1.0))
        self.observation_space = _make_box(np.full((num_envs, count), -np.inf), np.full((num_envs, count), np.inf))
        self._view = self._batch.view

    def _restart(self, members: npt.NDArray[np.intp]) -> None:
        for member in members:
            self._batch.restore(int(member), self._start[member])
        self._view = self._batch.view
        self.task.begin(members, [self._rngs[m] for m in members], self._view)
        self._over[members] = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[npt.NDArray[np.float32],
                                                                                                dict[str, Any]]:
        """Starts all episodes; a seed makes them the same each time."""
        if seed is not None:
            self._rngs = [np.random.default_rng([seed, i]) for i in range(self.num_envs)]
        self._restart(np.arange(self.num_envs))
        return self._observe(), self._info()

    def _observe(self) -> npt.NDArray[np.float32]:
        return self.task.observe(self._view).astype(np.float32)

    def _info(self) -> dict[str, Any]:
        return {"time": self._view.time}

    def step(self, actions: npt.ArrayLike) -> tuple[npt.NDArray[np.float32], Array, npt.NDArray[np.bool_],
                                                    npt.NDArray[np.bool_], dict[str, Any]]:
        """One action of every member: observations, rewards, terminated, truncated, info."""
        action = numbers(actions, "step: actions")
        if action.shape != (self.num_envs, 2):
            raise Error(f"step: actions must be ({self.num_envs}, 2), got {action.shape}")
        if not np.isfinite(action).all():
            raise Error("step: actions must be finite")
        action = np.clip(action, -1, 1)
        was_over = self._over.copy()
        if was_over.any():
            self._restart(np.flatnonzero(was_over))
        self._batch.step(self.task.interval, steer=self.task.max_steer * action[:, 0],
                         throttle=np.clip(action[:, 1], 0, 1), brake=np.clip(-action[:, 1], 0, 1))
        self._view = self._batch.view
        reward, terminated = self.task.judge(self._view, action)
        failed = self._batch.failed
        terminated = terminated | failed
        truncated = ~terminated & ((self._view.time >= self.task.duration - 1e-9) | (self._batch.done & ~failed))
        reward = np.where(was_over, 0.0, reward)
        self._over = terminated | truncated
        return self._observe(), reward, terminated, truncated, self._info()

    def close(self) -> None:
        """Nothing is to be closed."""

    def __repr__(self) -> str:
        return f"VectorEnv({type(self.task).__name__}, {self.num_envs})"


class Env(_Env):  # type: ignore[misc]
    """One environment: ``reset()``, and ``step(action)`` with five values."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, task: str | Task, *, set: dict[str, Any] | None = None) -> None:
        self._vector = VectorEnv(task, 1, set=set, threads=1)
        self.task = self._vector.task
        self.action_space = self._vector.single_action_space
        self.observation_space = self._vector.single_observation_space
        self._started = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[npt.NDArray[np.float32],
                                                                                                dict[str, Any]]:
        """Starts an episode; the same seed gives the same one."""
        observation, _ = self._vector.reset(seed=seed)
        self._started = True
        return observation[0], self._info()

    def _info(self) -> dict[str, Any]:
        return {"time": float(self._vector._view.time[0]), **self.task.info(0)}

    def step(self, action: npt.ArrayLike) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """One action: observation, reward, terminated, truncated, info."""
        if not self._started:
            raise Error("step: call reset() first")
        observation, reward, terminated, truncated, _ = self._vector.step(numbers(action, "step: action")[None])
        self._started = not (terminated[0] or truncated[0])
        return observation[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), self._info()

    def close(self) -> None:
        """Nothing is to be closed."""

    @property
    def unwrapped(self) -> Env:
        """The environment itself."""
        return self

    def __repr__(self) -> str:
        return f"Env({type(self.task).__name__})"


def make(name: str | Task, *, set: dict[str, Any] | None = None) -> Env:
    """An environment by name, "camber/LaneChange-v0", or of a task of your own; ``set`` changes its scenario."""
    return Env(name, set=set)


def make_vec(name: str | Task, num_envs: int, *, set: dict[str, Any] | None = None, seed: int = 1,
             threads: int = 0) -> VectorEnv:
    """Many environments of one task, stepped together; ``set`` may hold distributions, as of a Batch."""
    return VectorEnv(name, num_envs, set=set, seed=seed, threads=threads)
