import contextlib
import json
import time

from kubernetes import client


def eventually(what, holds, seconds=30):
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"still not so: {what}"
        time.sleep(0.02)


@contextlib.contextmanager
def refused(code, reason):
    """Expects a refusal with a code, and with the reason that a Status gives."""
    try:
        yield
    except client.ApiException as error:
        assert (error.status, json.loads(error.body).get("reason")) == (code, reason), error
    else:
        raise AssertionError(f"not refused: {code} {reason}")


@contextlib.contextmanager
def namespace(name):
    core = client.CoreV1Api()
    core.create_namespace({"metadata": {"name": name}})

    def is_there(objects, wanted):
        return any(each.metadata.name == wanted for each in objects.items)

    def is_complete():
        accounts, maps = core.list_namespaced_service_account(name), core.list_namespaced_config_map(name)
        return is_there(accounts, "default") and is_there(maps, "kube-root-ca.crt")

    eventually("what every namespace has", is_complete)
    yield core
    core.delete_namespace(name)


def config_map(name, data=None, labels=None):
    return {"metadata": {"name": name, "labels": labels}, "data": data}


def deployment(name, *containers):
    labels = {"app": name}
    return {
        "metadata": {"name": name},
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": each, "image": f"example.com/{each}"} for each in containers]},
            },
        },
    }
