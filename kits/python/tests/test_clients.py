"""Each client works with the fixtures."""

import time
from pathlib import Path

import kr8s
import pytest
from kr8s.objects import ConfigMap
from kubernetes import client

OPERATOR = Path(__file__).parent / "operator_of_buoys.py"


def buoy(name):
    return {"apiVersion": "example.com/v1", "kind": "Buoy", "metadata": {"name": name}}


def test_the_official_client(kubernetes_client):
    objects = client.CustomObjectsApi(kubernetes_client)
    objects.create_namespaced_custom_object("example.com", "v1", "default", "buoys", buoy("a"))
    assert len(objects.list_cluster_custom_object("example.com", "v1", "buoys")["items"]) == 1


@pytest.mark.parametrize("turn", [1, 2])
def test_each_test_has_its_own_objects(kubernetes_client, turn):
    body = {"metadata": {"name": "a"}}
    client.CoreV1Api(kubernetes_client).create_namespaced_config_map("default", body)


@pytest.mark.parametrize("turn", [1, 2])
def test_kr8s(kr8s_api, turn):
    resource = {"metadata": {"name": "settings", "namespace": "default"}, "data": {"a": "b"}}
    settings = ConfigMap(resource, api=kr8s_api)
    settings.create()
    assert ConfigMap.get("settings", namespace="default", api=kr8s_api).data["a"] == "b"
    with pytest.raises(kr8s.NotFoundError):
        ConfigMap.get("none", namespace="default", api=kr8s_api)


@pytest.mark.parametrize("turn", [1, 2])
def test_kopf(kopf_runner, kubernetes_client, turn):
    objects = client.CustomObjectsApi(kubernetes_client)
    of_buoys = ("example.com", "v1", "default", "buoys")
    with kopf_runner("run", "-A", "--standalone", str(OPERATOR), timeout=60) as runner:
        objects.create_namespaced_custom_object(*of_buoys, buoy("eddystone"))
        deadline = time.monotonic() + 30
        while not objects.get_namespaced_custom_object(*of_buoys, "eddystone").get("status", {}).get("lit"):
            assert time.monotonic() < deadline, runner.output
            time.sleep(0.05)
    assert runner.exit_code == 0
    assert runner.exception is None
