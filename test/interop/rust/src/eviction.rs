use anyhow::{Result, ensure};
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use kube::api::{Patch, PatchParams, PostParams};
use kube::{Api, Client};
use serde_json::json;

use crate::support::{make_namespace, object, refused};

/// Evicts pods that a budget guards.
pub async fn walk(client: &Client) -> Result<()> {
    let namespace = "rust-eviction";
    make_namespace(client, namespace).await?;
    let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let budgets: Api<PodDisruptionBudget> = Api::namespaced(client.clone(), namespace);
    let usual = PostParams::default();
    for name in ["a", "b"] {
        let pod = json!({
            "metadata": { "name": name, "labels": { "app": "guarded" } },
            "spec": { "terminationGracePeriodSeconds": 0, "containers": [{ "name": "app", "image": "i" }] },
        });
        pods.create(&usual, &object(pod)?).await?;
        // Pods that do not run may be evicted whatever the budget says.
        let status = json!({ "status": { "phase": "Running", "conditions": [{ "type": "Ready", "status": "True" }] } });
        pods.patch_status(name, &PatchParams::default(), &Patch::Strategic(status))
            .await?;
    }
    let guard = json!({
        "metadata": { "name": "guard" },
        "spec": { "minAvailable": 1, "selector": { "matchLabels": { "app": "guarded" } } },
    });
    budgets.create(&usual, &object(guard)?).await?;
    let allow = async |disruptions: i32| {
        let status = Patch::Merge(json!({ "status": {
            "observedGeneration": 1, "disruptionsAllowed": disruptions,
            "currentHealthy": 1 + disruptions, "desiredHealthy": 1, "expectedPods": 2,
        } }));
        budgets
            .patch_status("guard", &PatchParams::default(), &status)
            .await
    };
    allow(0).await?;
    refused(
        pods.evict("a", &Default::default()).await,
        429,
        "TooManyRequests",
    )?;
    allow(1).await?;
    pods.evict("a", &Default::default()).await?;
    ensure!(pods.get_opt("a").await?.is_none(), "the pod is still there");
    refused(
        pods.evict("b", &Default::default()).await,
        429,
        "TooManyRequests",
    )
}
