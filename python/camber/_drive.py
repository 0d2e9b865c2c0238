"""A scenario that is stepped."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator

from camber import _core
from camber._errors import Error, unknown_name

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from camber._model import Scenario, Settings
    from camber._run import Run

    PathLike = str | os.PathLike[str]


class Drive(_core.Drive):
    """A scenario that is stepped, with its own driver or a controller in Python.

        drive = camber.Drive("scenarios/step-steer.toml", set={"vehicle.start.speed": 20})
        while not drive.done:
            v = drive.view
            drive.step(0.01, steer=-0.02 * v.y, throttle=0.3 * (20 - v.speed), brake=0)

    One thread at a time may use it. ``record=True`` keeps all channels for result().
    """

    def __init__(self, scenario: Scenario | PathLike, set: Settings | None = None, *, record: bool = False,
                 share: _core.PartsCache | None = None) -> None:
        from camber._model import Model, Scenario, assignments

        if isinstance(scenario, Model):
            if not isinstance(scenario, Scenario):
                raise Error(f"{scenario.path} is of kind \"{scenario.kind}\"; a Drive takes a scenario")
            source = scenario._source(assignments(set))
            parts = scenario._shared_parts()
            self._keeps = scenario  # whose private files it may use
        else:
            source, parts = _core.Source(os.fspath(scenario), None, assignments(set)), None
        super().__init__(source, record, share, parts)

    @property
    def sensors(self) -> Sensors:
        """The sensors of the scenario, by name."""
        return Sensors(self)

    def result(self) -> Run:
        """What was recorded so far, of a drive that was made with record=True."""
        from camber._run import Run

        return Run(self.record())

    def __enter__(self) -> Drive:
        return self

    def __exit__(self, *_: object) -> None:
        if not self.closed:
            self.close()

    def __repr__(self) -> str:
        return "Drive(closed)" if self.closed else f"Drive(time={self.time:g}, status={self.status!r})"


def make_view(*numbers: float) -> _core.View:
    """The view that has these numbers, for pickle."""
    return _core.make_view(list(numbers))


class Sensors:
    """Sensors of a drive by name; ``drive.sensors["lidar"].points``."""

    def __init__(self, drive: _core.Drive) -> None:
        self._drive = drive

    def __iter__(self) -> Iterator[str]:
        return iter(self._drive.sensor_names)

    def __len__(self) -> int:
        return len(self._drive.sensor_names)

    def __getitem__(self, name: str) -> Sensor:
        if name not in self._drive.sensor_names:
            raise unknown_name("sensor", name, self._drive.sensor_names)
        return Sensor(self._drive, name)

    def __repr__(self) -> str:
        return f"Sensors({list(self)})"


class Sensor:
    """A sensor of a drive. Each property looks at the newest sample that has arrived; arrays stay valid."""

    def __init__(self, drive: _core.Drive, name: str) -> None:
        self._drive = drive
        self.name = name

    @property
    def sample(self) -> _core.SensorSample | None:
        """The newest sample that has arrived; None before the first."""
        return self._drive.sensor_sample(self.name)

    def _need(self) -> _core.SensorSample:
        sample = self.sample
        if sample is None:
            raise Error(f'sensor "{self.name}": no sample has arrived by t = {self._drive.time:g} s')
        return sample

    @property
    def time(self) -> float:
        """When the newest sample was measured [s]."""
        return self._need().measured

    @property
    def values(self) -> dict[str, npt.NDArray[np.float64]]:
        """Its quantities by name, SI units."""
        return self._need().values

    @property
    def points(self) -> npt.NDArray[np.float32]:
        """LIDAR: (n, 4) of x, y, z [m] in the sensor's frame and intensity."""
        return self._need().points

    @property
    def cloud(self) -> dict[str, npt.NDArray[Any]]:
        """LIDAR: every column of the points: position, world [m], range [m], intensity, time [s], ring, label, instance."""
        return self._need().cloud

    @property
    def image(self) -> npt.NDArray[np.uint8]:
        """Camera: (height, width, 3) sRGB."""
        return self._need().image

    @property
    def depth(self) -> npt.NDArray[np.float32]:
        """Camera: (height, width) along the optical axis [m]; infinite: sky."""
        return self._need().depth

    @property
    def labels(self) -> npt.NDArray[np.int32]:
        """Camera: (height, width) class of what each pixel shows."""
        return self._need().labels

    def __repr__(self) -> str:
        return f"Sensor({self.name!r})"
