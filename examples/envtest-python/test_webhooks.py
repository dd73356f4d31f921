from pathlib import Path

import pytest
from kubernetes import client

from webhooks import denied, install_webhooks, patched

MANIFEST = Path(__file__).parent.parent / "envtest-go" / "webhooks" / "lighthouses.yaml"
ANNOTATIONS = "/metadata/annotations"


def set_color(request):
    if request["object"]["metadata"].get("annotations"):
        return {"allowed": True}
    return patched({"op": "add", "path": ANNOTATIONS, "value": {"example.com/color": "white"}})


def check_lamps(request):
    lamps = request["object"]["spec"]["lamps"]
    return {"allowed": True} if lamps <= 12 else denied(f"{lamps} lamps are too bright")


@pytest.fixture
def webhooks(api, lighthouses):
    handlers = {"/default-lighthouses": set_color, "/validate-lighthouses": check_lamps}
    with install_webhooks(api, MANIFEST, handlers):
        yield
    registrations = client.AdmissionregistrationV1Api(api)
    registrations.delete_mutating_webhook_configuration("lighthouses")
    registrations.delete_validating_webhook_configuration("lighthouses")


def test_webhook_sets_a_default(lighthouses, webhooks):
    created = lighthouses.create("bell-rock", lamps=1)
    assert created["metadata"]["annotations"] == {"example.com/color": "white"}


def test_webhook_denies(lighthouses, webhooks):
    with pytest.raises(client.ApiException) as refused:
        lighthouses.create("pharos", lamps=13)
    assert refused.value.status == 403
    assert "13 lamps are too bright" in refused.value.body
