use anyhow::{Result, ensure};
use k8s_openapi::api::apps::v1::Deployment;
use kube::api::{Patch, PatchParams, PostParams};
use kube::{Api, Client};
use serde_json::{Value, json};

use crate::support::{make_namespace, object, refused};

fn containers(all: Value) -> Value {
    json!({ "spec": { "template": { "spec": { "containers": all } } } })
}

fn names(web: &Deployment) -> Vec<&str> {
    let pod = web.spec.template.spec.as_ref();
    pod.map(|pod| {
        pod.containers
            .iter()
            .map(|each| each.name.as_str())
            .collect()
    })
    .unwrap_or_default()
}

/// Patches a deployment in each of the four ways; two managers quarrel about what they apply.
pub async fn walk(client: &Client) -> Result<()> {
    let namespace = "rust-patches";
    make_namespace(client, namespace).await?;
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    let web = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web" },
        "spec": {
            "replicas": 1,
            "selector": { "matchLabels": { "app": "web" } },
            "template": {
                "metadata": { "labels": { "app": "web" } },
                "spec": { "containers": [{ "name": "app", "image": "i" }, { "name": "log", "image": "i" }] },
            },
        },
    });
    deployments
        .create(&PostParams::default(), &object(web)?)
        .await?;
    let usual = PatchParams::default();
    let operations =
        |value: Value| -> Result<Patch<()>> { Ok(Patch::Json(serde_json::from_value(value)?)) };
    let removal = operations(json!([
        { "op": "test", "path": "/spec/replicas", "value": 1 },
        { "op": "remove", "path": "/spec/template/spec/containers/1" },
    ]))?;
    ensure!(names(&deployments.patch("web", &usual, &removal).await?) == ["app"]);
    let failing = operations(json!([{ "op": "test", "path": "/spec/replicas", "value": 2 }]))?;
    refused(
        deployments.patch("web", &usual, &failing).await,
        422,
        "Invalid",
    )?;

    let side = Patch::Strategic(containers(json!([{ "name": "side", "image": "i" }])));
    ensure!(names(&deployments.patch("web", &usual, &side).await?) == ["side", "app"]);
    let gone = Patch::Strategic(containers(json!([{ "name": "side", "$patch": "delete" }])));
    ensure!(names(&deployments.patch("web", &usual, &gone).await?) == ["app"]);
    let only = Patch::Merge(containers(json!([{ "name": "only", "image": "i" }])));
    ensure!(names(&deployments.patch("web", &usual, &only).await?) == ["only"]);

    let replicas = |n: i32| {
        Patch::Apply(json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web" }, "spec": { "replicas": n },
        }))
    };
    deployments
        .patch("web", &PatchParams::apply("one").force(), &replicas(2))
        .await?;
    refused(
        deployments
            .patch("web", &PatchParams::apply("two"), &replicas(3))
            .await,
        409,
        "Conflict",
    )?;
    deployments
        .patch("web", &PatchParams::apply("two").force(), &replicas(3))
        .await?;
    let scale = deployments.get_scale("web").await?;
    ensure!(
        scale.spec.and_then(|spec| spec.replicas) == Some(3),
        "not scaled"
    );
    let status = Patch::Merge(json!({ "status": { "replicas": 1 } }));
    let status = deployments
        .patch_status("web", &usual, &status)
        .await?
        .status;
    ensure!(
        status.and_then(|status| status.replicas) == Some(1),
        "no status"
    );
    Ok(())
}
