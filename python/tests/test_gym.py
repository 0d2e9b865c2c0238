"""Environments in the shape of Gymnasium, held against its rules."""

import unittest

import numpy as np

import camber
from camber import gym


def check_environment(test: unittest.TestCase, env) -> None:
    """What Gymnasium's checker asks of an environment."""
    observation, info = env.reset(seed=3)
    test.assertTrue(env.observation_space.contains(observation))
    test.assertIsInstance(info, dict)
    again, _ = env.reset(seed=3)
    np.testing.assert_array_equal(observation, again)
    env.action_space.seed(1)
    actions = [env.action_space.sample() for _ in range(6)]
    rewards = []
    for action in actions:
        result = env.step(action)
        test.assertEqual(len(result), 5)
        observation, reward, terminated, truncated, info = result
        test.assertTrue(env.observation_space.contains(observation))
        test.assertEqual(observation.dtype, env.observation_space.dtype)
        test.assertIsInstance(reward, float)
        test.assertIsInstance(terminated, bool)
        test.assertIsInstance(truncated, bool)
        test.assertIsInstance(info, dict)
        rewards.append(reward)
    env.reset(seed=3)
    for action, reward in zip(actions, rewards):
        test.assertEqual(env.step(action)[1], reward)


class Environments(unittest.TestCase):
    def test_all_keep_the_rules(self):
        for name in gym.tasks:
            with self.subTest(name):
                env = gym.make(name)
                check_environment(self, env)
                self.assertEqual(len(env.task.observation_names), env.observation_space.shape[0])

    def test_a_simple_driver_changes_the_lane(self):
        env = gym.make("camber/LaneChange-v0")
        observation, _ = env.reset(seed=1)
        total, over = 0.0, False
        while not over:
            off, soon, later, yaw, _, rate, speed, _ = observation
            steer = 0.04 * later - 0.5 * yaw - 0.1 * rate
            observation, reward, terminated, truncated, info = env.step([steer / 0.1, 0.2 - 0.3 * speed])
            total += reward
            over = terminated or truncated
        self.assertTrue(truncated and not terminated)
        self.assertLess(abs(observation[0]), 0.5)
        self.assertGreater(total, 6)
        with self.assertRaisesRegex(camber.Error, "reset"):
            env.step([0, 0])

    def test_a_vehicle_that_leaves_ends_the_episode(self):
        env = gym.make("camber/LaneChange-v0")
        env.reset(seed=1)
        for _ in range(400):
            _, _, terminated, truncated, _ = env.step([1, 0])
            if terminated or truncated:
                break
        self.assertTrue(terminated and not truncated)

    def test_the_vector_version_is_the_single_one_and_resets_itself(self):
        vector = gym.make_vec("camber/LaneChange-v0", 3)
        self.assertEqual(vector.metadata["autoreset_mode"], "NextStep")
        vector.reset(seed=4)
        single = gym.make("camber/LaneChange-v0")
        single.reset(seed=4)
        actions = np.array([[1.0, 0.1], [0.0, 0.1], [0.2, 0.1]])
        ended = False
        for _ in range(400):
            observation, reward, terminated, truncated, _ = vector.step(actions)
            if not ended:
                alone = single.step(actions[0])
                np.testing.assert_array_equal(observation[0], alone[0])
                self.assertEqual(reward[0], alone[1])
            if terminated[0]:
                ended = True
                observation, reward, terminated, *_ = vector.step(actions)
                self.assertEqual(reward[0], 0)
                self.assertFalse(terminated[0])
                self.assertLess(vector._view.time[0], 0.1)
                break
        self.assertTrue(ended)
        for bad in (np.zeros((2, 2)), np.full((3, 2), np.nan)):
            with self.assertRaises(camber.Error):
                vector.step(bad)
        for not_numbers in (np.zeros((3, 2), complex), "left", None):
            with self.assertRaises(TypeError):
                vector.step(not_numbers)

    def test_names_and_own_tasks(self):
        with self.assertRaises(KeyError) as caught:
            gym.make("camber/LaneChang-v0")
        self.assertIn("LaneChange", str(caught.exception))

        class Faster(gym.LaneChange):
            settings = {**gym.LaneChange.settings, "vehicle.start.speed": 25}

        observation, _ = gym.make(Faster()).reset(seed=1)
        self.assertAlmostEqual(float(observation[6]), 5, places=3)


if __name__ == "__main__":
    unittest.main()
