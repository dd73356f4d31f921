"""What a server does without a client of Kubernetes."""

import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pytest_binnacle import BinnacleError, BinnacleNotFound, start

HERE = Path(__file__).parent


def get(server, path, folder):
    """The status of an answer to the administrator."""
    pem = folder / "client.pem"
    pem.write_text(server.client_certificate + server.client_key)
    context = ssl.create_default_context(cadata=server.certificate_authority)
    context.load_cert_chain(pem)
    try:
        with urllib.request.urlopen(server.url + path, context=context) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_faults(binnacle, tmp_path):
    path = "/api/v1/namespaces/default/configmaps"
    with binnacle.inject_fault({"type": "answer", "code": 503}, times=1, resource="configmaps") as fault:
        assert get(binnacle, path, tmp_path) == 503
        assert get(binnacle, path, tmp_path) == 200
        assert fault.hits == 1
    with pytest.raises(BinnacleError, match="there is no fault 1"):
        fault.hits
    assert "resp=503" in "\n".join(binnacle.log())
    with pytest.raises(BinnacleError, match="action.type: must be"):
        binnacle.inject_fault({"type": "sink"})


def test_webhooks(binnacle):
    installed = binnacle.install_webhooks(HERE / "webhook.yaml")
    assert installed.host == "127.0.0.1" and installed.port > 0
    assert (Path(installed.directory) / "tls.key").exists()
    assert binnacle.install_webhooks(HERE / "webhook.yaml", port=1).port == 1


def test_states(binnacle):
    binnacle.reset(binnacle.snapshot())
    binnacle.install_crds(HERE / "crds")
    with binnacle.fork() as fork:
        path = Path(fork.kubeconfig_file())
        assert path.read_text() == fork.kubeconfig
    assert not path.exists()


def test_controllers_and_nodes(tmp_path):
    with start(controllers="*", nodes=1) as server:
        deadline = time.monotonic() + 30
        while get(server, "/api/v1/nodes/node-0", tmp_path) != 200:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"flags": ["--nodez=1"]}, "unknown option '--nodez=1'"),
        ({"flags": ["--data-dir=x"]}, "--data-dir does not apply to a test server"),
        ({"crds": ["none"]}, "none: "),
        ({"binary": "none"}, "none does not exist"),
    ],
)
def test_mistakes(options, message):
    with pytest.raises((BinnacleError, BinnacleNotFound), match=message):
        start(**options)


def test_there_is_no_binnacle(monkeypatch, tmp_path):
    monkeypatch.delenv("BINNACLE_PATH", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BinnacleNotFound, match="set BINNACLE_PATH"):
        start()


def test_servers_end_with_a_killed_process():
    program = "import pytest_binnacle, signal; print(pytest_binnacle.start().url, flush=True); signal.pause()"
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    address = urlsplit(child.stdout.readline().strip())
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    deadline = time.monotonic() + 30
    while True:
        try:
            socket.create_connection((address.hostname, address.port)).close()
        except ConnectionRefusedError:
            return
        assert time.monotonic() < deadline, "the server still listens"
        time.sleep(0.05)


def test_a_failed_test_shows_the_log(pytester):
    pytester.makepyfile("""
        def test_fails(binnacle):
            binnacle.install_crds("none")

        def test_requests(kubernetes_client):
            from kubernetes import client
            client.CoreV1Api(kubernetes_client).list_namespaced_secret("default")
            assert False
    """)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*- binnacle -*", "*/api/v1/namespaces/default/secrets*resp=200*"])
