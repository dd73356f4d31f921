"""The fixtures. Override ``binnacle_options`` in conftest.py to change how servers start."""

import os
import sys

import pytest

from . import server as servers

#: How many lines of the log a failed test shows.
_LOG_LINES = 100
_server_key = pytest.StashKey()


@pytest.fixture(scope="session")
def binnacle_options():
    """The arguments of ``pytest_binnacle.start()``."""
    return {}


@pytest.fixture(scope="session")
def binnacle_base(binnacle_options):
    """A server for the session. Put objects that all tests need into it, before the first test."""
    with servers.start(**binnacle_options) as server:
        yield server


@pytest.fixture
def binnacle(binnacle_base, request):
    """A server for one test, with the objects of ``binnacle_base``. A failed test shows its last requests."""
    with binnacle_base.fork() as server:
        request.node.stash[_server_key] = server
        yield server


@pytest.fixture
def kubeconfig(binnacle, monkeypatch):
    """The path of a kubeconfig of ``binnacle``. KUBECONFIG names it during the test, for kr8s, kopf and programs."""
    path = binnacle.kubeconfig_file()
    monkeypatch.setenv("KUBECONFIG", path)
    # The official client reads the variable once, when it is imported.
    official = sys.modules.get("kubernetes.config.kube_config")
    if official is not None:
        monkeypatch.setattr(official, "KUBE_CONFIG_DEFAULT_LOCATION", path)
    return path


@pytest.fixture
def kubernetes_client(binnacle):
    """A ``kubernetes.client.ApiClient`` for ``binnacle``."""
    config = pytest.importorskip("kubernetes.config")
    with config.new_client_from_config(config_file=binnacle.kubeconfig_file()) as client:
        yield client


@pytest.fixture
def kr8s_api(kubeconfig):
    """A synchronous ``kr8s`` API for ``binnacle``."""
    kr8s = pytest.importorskip("kr8s")
    return kr8s.api(kubeconfig=kubeconfig)


@pytest.fixture
def kopf_runner(kubeconfig):
    """Runs operators: ``with kopf_runner("run", "-A", "operator.py") as runner``. See ``kopf.testing.KopfRunner``."""
    testing = pytest.importorskip("kopf.testing")
    return lambda *arguments, **options: testing.KopfRunner(list(arguments), **options)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    server = item.stash.get(_server_key, None)
    if report.failed and call.when == "call" and server is not None:
        report.sections.append(("binnacle", os.linesep.join(server.log()[-_LOG_LINES:])))
    return report


def pytest_unconfigure():
    servers.stop_all()
