"""Models, scenarios and terrains that come with camber."""

from __future__ import annotations

import os

from camber._errors import Error


def example(path: str) -> str:
    """The path of a file that comes with camber, such as "scenarios/step-steer.toml".

    It is looked for in the current folder, in $CAMBER_SHARE, and beside the package.
    """
    package = os.path.dirname(os.path.abspath(__file__))
    places = [".", os.environ.get("CAMBER_SHARE", ""), os.path.join(package, "share"),
              os.path.normpath(os.path.join(package, "..", "..", "..", "..", "share", "camber"))]
    for place in places:
        if place and os.path.exists(os.path.join(place, path)):
            return path if place == "." else os.path.realpath(os.path.join(place, path))
    raise Error(f"{path}: not found in {', '.join(p for p in places if p)}")
