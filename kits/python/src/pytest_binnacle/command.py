"""Where Binnacle is."""

import os
import shutil
from pathlib import Path


class BinnacleNotFound(Exception):
    """Says where Binnacle was looked for."""


def find_command(binary=None):
    """The program and its first arguments.

    In this order: ``binary``; the environment variable ``BINNACLE_PATH``; ``binnacle`` on the PATH; the npm package in ``node_modules`` of the
    working directory or a folder above it.
    """
    binary = binary or os.environ.get("BINNACLE_PATH")
    if binary:
        if not Path(binary).exists():
            raise BinnacleNotFound(f"{binary} does not exist")
        return _with_interpreter(binary)
    found = shutil.which("binnacle")
    if found:
        return [found]
    for directory in [Path.cwd(), *Path.cwd().parents]:
        script = directory / "node_modules" / "binnacle" / "bin" / "binnacle.js"
        if script.exists():
            return _with_interpreter(str(script))
    raise BinnacleNotFound(
        "binnacle was not found: set BINNACLE_PATH to the program, put binnacle on the PATH, "
        "or run npm install binnacle in this folder or one above it"
    )


def _with_interpreter(path):
    if not path.endswith(".js"):
        return [path]
    node = shutil.which("node")
    if node is None:
        raise BinnacleNotFound(f"{path} needs node, which is not on the PATH")
    return [node, path]
