use std::time::Duration;

use anyhow::{Context, Result, ensure};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::runtime::wait::{await_condition, conditions};
use kube::{Api, Client, CustomResource, CustomResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::support::{make_namespace, refused};

#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(
    group = "rust.example.com",
    version = "v1",
    kind = "Kite",
    namespaced,
    status = "KiteStatus"
)]
pub struct KiteSpec {
    #[schemars(range(min = 1))]
    length: i32,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct KiteStatus {
    flying: bool,
}

/// Applies the definition that is derived from a type, and writes objects of it.
pub async fn walk(client: &Client) -> Result<()> {
    let namespace = "rust-custom";
    make_namespace(client, namespace).await?;
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    let name = Kite::crd_name();
    let owner = PatchParams::apply("owner");
    definitions
        .patch(name, &owner, &Patch::Apply(Kite::crd()))
        .await?;
    let established = await_condition(definitions.clone(), name, conditions::is_crd_established());
    tokio::time::timeout(Duration::from_secs(30), established)
        .await
        .context("the kind is not established")??;

    let kites: Api<Kite> = Api::namespaced(client.clone(), namespace);
    let usual = PostParams::default();
    kites
        .create(&usual, &Kite::new("a", KiteSpec { length: 2 }))
        .await?;
    refused(
        kites
            .create(&usual, &Kite::new("b", KiteSpec { length: 0 }))
            .await,
        422,
        "Invalid",
    )?;
    let flying = Patch::Merge(json!({ "status": { "flying": true } }));
    let flying = kites
        .patch_status("a", &PatchParams::default(), &flying)
        .await?;
    ensure!(
        flying.status.is_some_and(|status| status.flying),
        "it does not fly"
    );
    let longer = Patch::Apply(Kite::new("a", KiteSpec { length: 5 }));
    refused(kites.patch("a", &owner, &longer).await, 409, "Conflict")?;
    ensure!(
        kites
            .patch("a", &owner.clone().force(), &longer)
            .await?
            .spec
            .length
            == 5
    );
    kites.delete("a", &DeleteParams::default()).await?;
    definitions.delete(name, &DeleteParams::default()).await?;
    Ok(())
}
