from kubernetes import client

from support import deployment, namespace, refused


def walk(where):
    """Patches a deployment in each of the four ways."""
    apps = client.AppsV1Api()
    with namespace(where):
        apps.create_namespaced_deployment(where, deployment("web", "app", "log"))

        def patch(kind, body, **options):
            return apps.patch_namespaced_deployment("web", where, body, _content_type=kind, **options)

        def containers(*all):
            return {"spec": {"template": {"spec": {"containers": list(all)}}}}

        def names(web):
            return [each.name for each in web.spec.template.spec.containers]

        web = patch(
            "application/json-patch+json",
            [
                {"op": "test", "path": "/spec/replicas", "value": 1},
                {"op": "remove", "path": "/spec/template/spec/containers/1"},
            ],
        )
        assert names(web) == ["app"]
        with refused(422, "Invalid"):
            patch("application/json-patch+json", [{"op": "test", "path": "/spec/replicas", "value": 2}])
        strategic = "application/strategic-merge-patch+json"
        web = patch(strategic, containers({"name": "side", "image": "example.com/side"}))
        assert names(web) == ["side", "app"]
        assert names(patch(strategic, containers({"name": "side", "$patch": "delete"}))) == ["app"]
        web = patch("application/merge-patch+json", containers({"name": "only", "image": "example.com/only"}))
        assert names(web) == ["only"]

        applied = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 5}}
        apply = "application/apply-patch+yaml"
        with refused(409, "Conflict"):
            patch(apply, applied, field_manager="applier")
        assert patch(apply, applied, field_manager="applier", force=True).spec.replicas == 5

        scale = apps.read_namespaced_deployment_scale("web", where)
        scale.spec.replicas = 3
        assert apps.replace_namespaced_deployment_scale("web", where, scale).spec.replicas == 3
        status = {"status": {"replicas": 1, "readyReplicas": 1}}
        assert apps.patch_namespaced_deployment_status("web", where, status).status.ready_replicas == 1
