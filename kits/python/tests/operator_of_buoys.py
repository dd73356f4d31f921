"""An operator for the test of kopf's runner."""

import kopf


@kopf.on.create("example.com", "v1", "buoys")
def light(patch, **_):
    patch.status["lit"] = True
