"""Starts Binnacle for the tests of this folder. BINNACLE is the command. Default: "binnacle" on the PATH."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
import yaml
from kubernetes import client, config

CRDS = Path(__file__).parent.parent / "envtest-go" / "crds"


@pytest.fixture(scope="session")
def kubeconfig(tmp_path_factory):
    """An in-memory server on a free port."""
    path = tmp_path_factory.mktemp("binnacle") / "kubeconfig"
    command = os.environ.get("BINNACLE", "binnacle").split()
    server = subprocess.Popen(
        [*command, "serve", "--in-memory", "--secure-port=0", f"--write-kubeconfig={path}", "--fault-injection"]
    )
    try:
        deadline = time.monotonic() + 30
        # The server writes the kubeconfig once it is ready.
        while not path.exists():
            assert server.poll() is None, f"binnacle has ended with {server.returncode}"
            assert time.monotonic() < deadline, "binnacle is not ready"
            time.sleep(0.05)
        yield str(path)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


@pytest.fixture(scope="session")
def api(kubeconfig):
    return config.new_client_from_config(kubeconfig)


@pytest.fixture(scope="session")
def lighthouses(api):
    """The established CustomResourceDefinition of lighthouses."""
    definitions = client.ApiextensionsV1Api(api)
    definition = yaml.safe_load((CRDS / "lighthouses.yaml").read_text())
    definitions.create_custom_resource_definition(definition)

    def is_established():
        status = definitions.read_custom_resource_definition(definition["metadata"]["name"]).status
        conditions = {each.type: each.status for each in status.conditions or []}
        assert conditions.get("Established") == "True"

    eventually(is_established)
    return Lighthouses(client.CustomObjectsApi(api))


@pytest.fixture
def faults(api):
    """Adds fault rules, which are removed after the test."""

    # The client's connections carry the administrator's certificate.
    connections, url = api.rest_client.pool_manager, f"{api.configuration.host}/debug/faults"

    def add(rule):
        answer = connections.request("POST", url, body=json.dumps(rule))
        assert answer.status == 201, answer.data

    yield add
    connections.request("DELETE", url)


class Lighthouses:
    """The custom resources in the namespace default."""

    def __init__(self, objects):
        self.objects = objects
        self.where = {"group": "example.com", "version": "v1", "namespace": "default", "plural": "lighthouses"}

    def create(self, name, lamps):
        body = {
            "apiVersion": "example.com/v1",
            "kind": "Lighthouse",
            "metadata": {"name": name},
            "spec": {"lamps": lamps},
        }
        return self.objects.create_namespaced_custom_object(**self.where, body=body)

    def get(self, name):
        return self.objects.get_namespaced_custom_object(**self.where, name=name)

    def replace(self, lighthouse):
        name = lighthouse["metadata"]["name"]
        return self.objects.replace_namespaced_custom_object(**self.where, name=name, body=lighthouse)

    def watch(self, watch, **options):
        return watch.stream(self.objects.list_namespaced_custom_object, **self.where, **options)


def eventually(holds, seconds=10):
    """Retries an assertion until it holds."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return holds()
        except AssertionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
