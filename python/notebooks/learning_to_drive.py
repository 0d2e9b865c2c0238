# %% [markdown]
# # A control loop that learns
# The environment `camber/LaneChange-v0` in the shape of Gymnasium, 32 of them at once, and the cross-entropy method: sample
# feedback gains, keep the best, sample again. No learning library is needed.

# %%
from typing import Any

import numpy as np

import camber

env = camber.gym.make_vec("camber/LaneChange-v0", num_envs=32)
print(env.task.observation_names)
rng = np.random.default_rng(1)


def rollout(gains: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Total reward of each row of gains: steer from what is seen, hold the speed."""
    observation, _ = env.reset(seed=1)
    total, alive = np.zeros(len(gains)), np.ones(len(gains), dtype=bool)
    for _ in range(int(env.task.duration / env.task.interval)):
        steer = (observation * gains).sum(axis=1)
        pedal = 0.2 - 0.3 * observation[:, 6]
        observation, reward, terminated, truncated, _ = env.step(np.column_stack([steer, pedal]))
        total += np.where(alive, reward, 0)
        alive &= ~(terminated | truncated)
    return total


# %%
mean, deviation = np.zeros(8), np.array([0.3, 0.3, 0.3, 3, 0.1, 1, 0, 1])
history = []
for iteration in range(8):
    gains = mean + deviation * rng.normal(size=(32, 8))
    rewards = rollout(gains)
    best = gains[np.argsort(rewards)[-6:]]
    mean, deviation = best.mean(axis=0), best.std(axis=0) + 0.02 * (deviation > 0)
    history.append((rewards.mean(), rewards.max()))
    print(f"iteration {iteration}: mean reward {rewards.mean():6.2f}, best {rewards.max():.2f} of 8")

# %%
ax = camber.plot.axes()
ax.plot([h[1] for h in history], "o-", label="best")
ax.plot([h[0] for h in history], "o-", label="mean")
ax.set_ylim(bottom=0)
ax.set_xlabel("iteration")
ax.set_ylabel("reward [1]")
ax.legend()
assert history[-1][1] > history[0][1] - 0.5 and history[-1][1] > 5
