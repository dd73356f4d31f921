from kubernetes import client

from support import config_map, namespace, refused


def walk(where):
    """Creates, reads, writes, lists in pages and deletes."""
    with namespace(where) as core:
        created = core.create_namespaced_config_map(where, config_map("a", {"n": "1"}), field_manager="walk")
        assert created.metadata.managed_fields[0].manager == "walk"
        with refused(409, "AlreadyExists"):
            core.create_namespaced_config_map(where, config_map("a"))
        with refused(422, "Invalid"):
            core.create_namespaced_config_map(where, config_map("A"))
        stale = core.read_namespaced_config_map("a", where)
        assert stale == created
        created.data["n"] = "2"
        assert core.replace_namespaced_config_map("a", where, created).data == {"n": "2"}
        with refused(409, "Conflict"):
            core.replace_namespaced_config_map("a", where, stale)
        core.create_namespaced_config_map(where, config_map("dry"), dry_run="All")
        with refused(404, "NotFound"):
            core.read_namespaced_config_map("dry", where)

        for n in range(12):
            core.create_namespaced_config_map(where, config_map(f"map-{n}", labels={"page": "yes"}))
        names, versions, token = [], set(), None
        while True:
            page = core.list_namespaced_config_map(where, label_selector="page", limit=5, _continue=token)
            assert len(page.items) <= 5
            names += [each.metadata.name for each in page.items]
            versions.add(page.metadata.resource_version)
            token = page.metadata._continue
            if not token:
                break
        assert (len(set(names)), len(versions)) == (12, 1), names
        core.delete_collection_namespaced_config_map(where, label_selector="page")
        assert core.list_namespaced_config_map(where, label_selector="page").items == []
        uid = client.V1Preconditions(uid=created.metadata.uid)
        core.delete_namespaced_config_map("a", where, body=client.V1DeleteOptions(preconditions=uid))
        with refused(404, "NotFound"):
            core.delete_namespaced_config_map("a", where)


def walk_eviction(where):
    """Evicts pods that a budget guards."""
    policy = client.PolicyV1Api()
    with namespace(where) as core:
        for name in ("a", "b"):
            containers = [{"name": "app", "image": "example.com/app"}]
            pod = core.create_namespaced_pod(
                where,
                {
                    "metadata": {"name": name, "labels": {"app": "guarded"}},
                    "spec": {"containers": containers, "terminationGracePeriodSeconds": 0},
                },
            )
            # Pods that do not run may be evicted whatever the budget says.
            pod.status.phase = "Running"
            pod.status.conditions = [client.V1PodCondition(type="Ready", status="True")]
            core.replace_namespaced_pod_status(name, where, pod)
        selector = client.V1LabelSelector(match_labels={"app": "guarded"})
        spec = client.V1PodDisruptionBudgetSpec(min_available=1, selector=selector)
        budget = client.V1PodDisruptionBudget(metadata=client.V1ObjectMeta(name="guard"), spec=spec)
        budget = policy.create_namespaced_pod_disruption_budget(where, budget)

        def allow(disruptions):
            budget.status = client.V1PodDisruptionBudgetStatus(
                observed_generation=budget.metadata.generation,
                disruptions_allowed=disruptions,
                current_healthy=1 + disruptions,
                desired_healthy=1,
                expected_pods=2,
            )
            return policy.replace_namespaced_pod_disruption_budget_status("guard", where, budget)

        def evict(name):
            core.create_namespaced_pod_eviction(name, where, {"metadata": {"name": name}})

        budget = allow(0)
        with refused(429, "TooManyRequests"):
            evict("a")
        budget = allow(1)
        evict("a")
        with refused(404, "NotFound"):
            core.read_namespaced_pod("a", where)
        with refused(429, "TooManyRequests"):
            evict("b")
