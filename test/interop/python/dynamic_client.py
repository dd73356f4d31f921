"""The client that knows kinds by discovery alone, as Ansible's modules use it."""

import os
import tempfile

from kubernetes import client, dynamic, watch

from custom_objects import DEFINITION, GROUP, kite
from support import deployment, eventually, namespace, refused

NAME = f"kites.{GROUP}"


def walk(where):
    with namespace(where), tempfile.TemporaryDirectory() as folder:
        cluster = dynamic.DynamicClient(client.ApiClient(), cache_file=os.path.join(folder, "discovered"))
        maps = cluster.resources.get(api_version="v1", kind="ConfigMap")
        walk_objects(maps, where)
        walk_pages(maps, where)
        walk_watch(maps, where)
        walk_patches(cluster.resources.get(api_version="apps/v1", kind="Deployment"), where)
        walk_apply(maps, where)
        walk_custom_kind(cluster, where)


def config_map(name, data=None, **metadata):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, **metadata}, "data": data or {}}


def walk_objects(maps, where):
    created = maps.create(body=config_map("a", {"n": "1"}), namespace=where, field_manager="walk")
    assert (created.kind, created.data.n, created.metadata.managedFields[0].manager) == ("ConfigMap", "1", "walk")
    with refused(409, "AlreadyExists"):
        maps.create(body=config_map("a"), namespace=where)
    with refused(422, "Invalid"):
        maps.create(body=config_map("A"), namespace=where)
    changed = created.to_dict()
    changed["data"]["n"] = "2"
    assert maps.replace(body=changed, namespace=where).data.n == "2"
    with refused(409, "Conflict"):
        maps.replace(body=changed, namespace=where)
    maps.create(body=config_map("dry"), namespace=where, dry_run="All")
    with refused(404, "NotFound"):
        maps.get(name="dry", namespace=where)
    assert maps.delete(name="a", namespace=where).status == "Success"
    with refused(404, "NotFound"):
        maps.delete(name="a", namespace=where)


def walk_pages(maps, where):
    for n in range(7):
        maps.create(body=config_map(f"map-{n}", labels={"page": "yes"}), namespace=where)
    names, token = [], None
    while token != "":
        page = maps.get(namespace=where, label_selector="page=yes", limit=3, _continue=token)
        assert page.kind == "ConfigMapList" and len(page.items) <= 3
        names += [each.metadata.name for each in page.items]
        token = page.metadata["continue"] or ""
    assert names == [f"map-{n}" for n in range(7)], names
    maps.delete(namespace=where, label_selector="page=yes")
    assert maps.get(namespace=where, label_selector="page=yes").items == []


def walk_watch(maps, where):
    """From a version on, by a name; and once more from the version that was seen last."""
    since = maps.get(namespace=where).metadata.resourceVersion
    for name in ("other", "seen"):
        maps.create(body=config_map(name, {"n": "1"}), namespace=where)
    maps.patch(name="seen", namespace=where, body={"data": {"n": "2"}})
    maps.delete(name="seen", namespace=where)

    def told(version, count):
        watcher, events = watch.Watch(), []
        for event in maps.watch(namespace=where, name="seen", resource_version=version, timeout=30, watcher=watcher):
            events.append((event["type"], event["object"].data.n, event["object"].metadata.resourceVersion))
            if len(events) == count:
                watcher.stop()
        return events

    events = told(since, 3)
    assert [each[:2] for each in events] == [("ADDED", "1"), ("MODIFIED", "2"), ("DELETED", "2")], events
    assert told(events[0][2], 2) == events[1:]


def walk_patches(deployments, where):
    kind = {"apiVersion": "apps/v1", "kind": "Deployment"}
    deployments.create(body={**kind, **deployment("web", "app", "log")}, namespace=where)

    def patch(body, content_type=None):
        options = {} if content_type is None else {"content_type": f"application/{content_type}+json"}
        return deployments.patch(name="web", namespace=where, body=body, **options)

    def containers(*all):
        return {"spec": {"template": {"spec": {"containers": list(all)}}}}

    def names(web):
        return [each.name for each in web.spec.template.spec.containers]

    # A strategic merge patch, unless something else is said.
    assert names(patch(containers({"name": "log", "$patch": "delete"}))) == ["app"]
    only = containers({"name": "only", "image": "example.com/only"})
    assert names(patch(only, "merge-patch")) == ["only"]
    assert patch([{"op": "replace", "path": "/spec/replicas", "value": 2}], "json-patch").spec.replicas == 2
    with refused(422, "Invalid"):
        patch([{"op": "test", "path": "/spec/replicas", "value": 5}], "json-patch")

    scale = deployments.scale.patch(
        name="web", namespace=where, body={"spec": {"replicas": 3}}, content_type="application/merge-patch+json"
    )
    assert (scale.kind, scale.spec.replicas) == ("Scale", 3)
    web = deployments.status.patch(name="web", namespace=where, body={"status": {"replicas": 1}})
    assert (web.status.replicas, web.spec.replicas) == (1, 3)


def walk_apply(maps, where):
    def apply(manager, data, **options):
        body = config_map("applied", data)
        return maps.server_side_apply(body=body, namespace=where, field_manager=manager, **options)

    assert apply("first", {"a": "1", "b": "1"}).data.to_dict() == {"a": "1", "b": "1"}
    with refused(409, "Conflict"):
        apply("second", {"a": "2"})
    assert apply("second", {"a": "1"}).data.a == "1"
    assert apply("second", {"a": "2"}, force_conflicts=True).data.to_dict() == {"a": "2", "b": "1"}
    # What the first leaves out goes, but for what is the second's by now.
    applied = apply("first", {"c": "1"})
    assert applied.data.to_dict() == {"a": "2", "c": "1"}
    managers = {each.manager: each.operation for each in applied.metadata.managedFields}
    assert managers == {"first": "Apply", "second": "Apply"}, managers
    with refused(422, "Invalid"):
        maps.server_side_apply(body=config_map("applied"), namespace=where)


def walk_custom_kind(cluster, where):
    """A kind that was not there when the client was made."""

    def kites():
        return cluster.resources.get(api_version=f"{GROUP}/v1", kind="Kite")

    try:
        kites()
    except dynamic.exceptions.ResourceNotFoundError:
        pass
    else:
        raise AssertionError("found before it was defined")
    definitions = cluster.resources.get(api_version="apiextensions.k8s.io/v1", kind="CustomResourceDefinition")
    definitions.create(body=DEFINITION)

    def is_established():
        status = definitions.get(name=NAME).status.to_dict()
        return any(each["type"] == "Established" and each["status"] == "True" for each in status.get("conditions") or [])

    eventually("the kind is established", is_established)
    assert kites().namespaced and kites().name == "kites"
    assert kites().create(body=kite(2), namespace=where).spec.to_dict() == {"length": 2, "colour": "red"}
    with refused(422, "Invalid"):
        kites().server_side_apply(body=kite(0), namespace=where, field_manager="walk", force_conflicts=True)
    assert [each.spec.length for each in kites().get(namespace=where).items] == [2]
    definitions.delete(name=NAME)
