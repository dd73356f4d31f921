//! The example: tests of a small controller. It hangs a lamp, which is a ConfigMap, into each Lantern.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use binnacle_test::{Fault, Options, Server};
use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Patch, PatchParams, PostParams};
use kube::runtime::controller::{Action, Controller};
use kube::runtime::wait::await_condition;
use kube::runtime::watcher;
use kube::{Api, Client, CustomResource, CustomResourceExt, Resource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::OnceCell;

#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Lantern",
    namespaced,
    status = "LanternStatus"
)]
struct LanternSpec {
    #[schemars(length(min = 1))]
    colour: String,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
struct LanternStatus {
    lit: bool,
}

async fn reconcile(lantern: Arc<Lantern>, client: Arc<Client>) -> kube::Result<Action> {
    let namespace = lantern.namespace().unwrap_or_default();
    let lamp = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": { "name": lantern.name_any(), "ownerReferences": lantern.controller_owner_ref(&()).map(|owner| [owner]) },
        "data": { "colour": lantern.spec.colour },
    });
    let owner = PatchParams::apply("lanterns").force();
    let lamps: Api<ConfigMap> = Api::namespaced(client.as_ref().clone(), &namespace);
    lamps
        .patch(&lantern.name_any(), &owner, &Patch::Apply(lamp))
        .await?;
    let lanterns: Api<Lantern> = Api::namespaced(client.as_ref().clone(), &namespace);
    let lit = Patch::Merge(json!({ "status": { "lit": true } }));
    lanterns
        .patch_status(&lantern.name_any(), &PatchParams::default(), &lit)
        .await?;
    Ok(Action::await_change())
}

async fn run(client: Client) {
    let lanterns: Api<Lantern> = Api::all(client.clone());
    let lamps: Api<ConfigMap> = Api::all(client.clone());
    let again = |_: Arc<Lantern>, _: &kube::Error, _| Action::requeue(Duration::from_millis(50));
    Controller::new(lanterns, watcher::Config::default())
        .owns(lamps, watcher::Config::default())
        .run(reconcile, again, Arc::new(client))
        .for_each(async |_| ())
        .await;
}

static BASE: OnceCell<Server> = OnceCell::const_new();

/// A server for one test, which has the kind.
async fn server() -> binnacle_test::Result<Server> {
    let start = || Server::start(Options::new().crd(&Lantern::crd()));
    BASE.get_or_try_init(start).await?.fork().await
}

async fn create(client: Client, colour: &str) -> kube::Result<Api<Lantern>> {
    let lanterns: Api<Lantern> = Api::namespaced(client, "default");
    let spec = LanternSpec {
        colour: colour.to_owned(),
    };
    lanterns
        .create(&PostParams::default(), &Lantern::new("bow", spec))
        .await?;
    Ok(lanterns)
}

async fn lit(lanterns: Api<Lantern>) -> Result<()> {
    let is_lit = |lantern: Option<&Lantern>| {
        lantern
            .and_then(|found| found.status.as_ref())
            .is_some_and(|status| status.lit)
    };
    let is_lit = await_condition(lanterns, "bow", is_lit);
    tokio::time::timeout(Duration::from_secs(30), is_lit).await??;
    Ok(())
}

#[tokio::test]
async fn a_lantern_gets_a_lamp() -> Result<()> {
    let server = server().await?;
    let controller = tokio::spawn(run(server.client()?));
    lit(create(server.client()?, "red").await?).await?;
    let lamps: Api<ConfigMap> = Api::namespaced(server.client()?, "default");
    let lamp = lamps.get("bow").await?;
    assert_eq!(lamp.data.unwrap_or_default()["colour"], "red");
    controller.abort();
    Ok(())
}

#[tokio::test]
async fn conflicts_are_survived() -> Result<()> {
    let server = server().await?;
    let conflicts = Fault::answer(409).verb("patch").resource("configmaps");
    let conflicts = server.inject_fault(conflicts.times(2)).await?;
    let controller = tokio::spawn(run(server.client()?));
    lit(create(server.client()?, "green").await?).await?;
    assert_eq!(conflicts.hits().await?, 2);
    controller.abort();
    Ok(())
}

#[tokio::test]
async fn the_schema_is_obeyed() -> Result<()> {
    let server = server().await?;
    let refused = create(server.client()?, "").await.unwrap_err();
    assert!(matches!(refused, kube::Error::Api(status) if status.code == 422));
    Ok(())
}
