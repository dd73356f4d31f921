from pathlib import Path

import pytest

pytest_plugins = ["pytester"]


@pytest.fixture(scope="session")
def binnacle_options():
    return {"crds": [Path(__file__).parent / "crds"]}
