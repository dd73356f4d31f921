import pytest
from kubernetes import client, watch


def test_schema_is_enforced(lighthouses):
    with pytest.raises(client.ApiException) as refused:
        lighthouses.create("dark", lamps=0)
    assert refused.value.status == 422


def test_update_is_retried_after_a_conflict(lighthouses, faults):
    lighthouses.create("fastnet", lamps=1)
    faults(
        {
            "match": {"verb": "update", "resource": "lighthouses", "name": "fastnet"},
            "times": 2,
            "action": {"type": "answer", "code": 409},
        }
    )
    assert set_lamps(lighthouses, "fastnet", 3) == 3
    assert lighthouses.get("fastnet")["spec"]["lamps"] == 3


def test_broken_watch_is_resumed(lighthouses, faults):
    faults(
        {
            "match": {"verb": "watch", "resource": "lighthouses"},
            "times": 1,
            "action": {"type": "cutWatch", "afterEvents": 1},
        }
    )
    for name in ("wolf-rock", "longships"):
        lighthouses.create(name, lamps=1)
    seen = []
    stream = watch.Watch()
    for event in lighthouses.watch(stream):
        seen.append(event["object"]["metadata"]["name"])
        if {"wolf-rock", "longships"} <= set(seen):
            stream.stop()
    assert len(seen) == len(set(seen))


def set_lamps(lighthouses, name, lamps):
    """Updates the lamps and retries after conflicts. Returns the number of attempts."""
    for attempt in range(1, 6):
        lighthouse = lighthouses.get(name)
        lighthouse["spec"]["lamps"] = lamps
        try:
            lighthouses.replace(lighthouse)
            return attempt
        except client.ApiException as error:
            if error.status != 409:
                raise
    raise AssertionError("five conflicts in a row")
