from kubernetes import client

from support import eventually, namespace, refused

GROUP = "python.example.com"
DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": f"kites.{GROUP}"},
    "spec": {
        "group": GROUP,
        "scope": "Namespaced",
        "names": {"plural": "kites", "kind": "Kite"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {
                                "type": "object",
                                "properties": {
                                    "length": {"type": "integer", "minimum": 1},
                                    "colour": {"type": "string", "default": "red"},
                                },
                            },
                            "status": {"type": "object", "properties": {"flying": {"type": "boolean"}}},
                        },
                    }
                },
            }
        ],
    },
}


def kite(length):
    return {"apiVersion": f"{GROUP}/v1", "kind": "Kite", "metadata": {"name": "a"}, "spec": {"length": length}}


def walk(where):
    """Defines a kind and writes objects of it."""
    definitions, objects = client.ApiextensionsV1Api(), client.CustomObjectsApi()
    with namespace(where):
        definitions.create_custom_resource_definition(DEFINITION)

        def is_established():
            status = definitions.read_custom_resource_definition(f"kites.{GROUP}").status
            return any(each.type == "Established" and each.status == "True" for each in status.conditions or [])

        eventually("the kind is established", is_established)
        kites = {"group": GROUP, "version": "v1", "namespace": where, "plural": "kites"}
        red = objects.create_namespaced_custom_object(**kites, body=kite(2))
        assert red["spec"] == {"length": 2, "colour": "red"}
        with refused(409, "AlreadyExists"):
            objects.create_namespaced_custom_object(**kites, body=kite(2))
        with refused(422, "Invalid"):
            objects.replace_namespaced_custom_object(**kites, name="a", body={**red, "spec": {"length": 0}})
        flying = objects.replace_namespaced_custom_object_status(
            **kites, name="a", body={**red, "status": {"flying": True}}
        )
        assert flying["status"] == {"flying": True}
        with refused(409, "Conflict"):
            objects.replace_namespaced_custom_object(**kites, name="a", body={**red, "spec": {"length": 3}})
        patched = objects.patch_namespaced_custom_object(**kites, name="a", body={"spec": {"colour": None, "length": 4}})
        assert patched["spec"] == {"length": 4, "colour": "red"}
        assert len(objects.list_namespaced_custom_object(**kites)["items"]) == 1
        objects.delete_namespaced_custom_object(**kites, name="a")
        definitions.delete_custom_resource_definition(f"kites.{GROUP}")
