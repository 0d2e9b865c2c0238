"""Packs the Python package that CMake has built. `make python` installs it into a virtual environment.

CAMBER_BUILD is the folder of the build, from the root of the sources; build/release if it is not given.
"""

import os
import pathlib
import re
import shutil

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
SHARED = ("cities", "models", "plans", "scenarios", "scenes", "studies", "terrains")


class BuiltDistribution(Distribution):
    """It holds machine code: its wheel is for one platform."""

    def has_ext_modules(self):
        return True


class PackBuilt(build_py):
    """Adds the module that CMake has built, and the files that come with camber."""

    def run(self):
        super().run()
        build = (HERE.parent / os.environ.get("CAMBER_BUILD", "build/release")).resolve()
        built = list((build / "python" / "camber").glob("_core.*.so"))
        if not built:
            raise SystemExit(f"{build}: the package is not built there; run `make python`")
        target = pathlib.Path(self.build_lib, "camber")
        for module in built:
            shutil.copy2(module, target)
        for folder in SHARED:
            shutil.copytree(HERE.parent / folder, target / "share" / folder, dirs_exist_ok=True)


def find_version() -> str:
    text = (HERE.parent / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(camber VERSION (\S+)", text).group(1)


setup(name="camber", packages=["camber", "camber._core"], version=find_version(), description="Ground-vehicle dynamics",
      python_requires=">=3.11", install_requires=["numpy"], distclass=BuiltDistribution, cmdclass={"build_py": PackBuilt},
      package_data={"camber": ["py.typed", "*.mplstyle"], "camber._core": ["*.pyi"]})
