use std::time::Duration;

use anyhow::{Context, Result, ensure};
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, ServiceAccount};
use kube::{Api, Client, Error};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// An object out of JSON.
pub fn object<T: DeserializeOwned>(value: Value) -> Result<T> {
    Ok(serde_json::from_value(value)?)
}

pub fn config_map(name: &str, n: &str) -> Result<ConfigMap> {
    object(json!({ "metadata": { "name": name, "labels": { "walk": "yes" } }, "data": { "n": n } }))
}

/// Makes a namespace, and waits for what comes with it.
pub async fn make_namespace(client: &Client, name: &str) -> Result<()> {
    let namespaces: Api<Namespace> = Api::all(client.clone());
    namespaces
        .create(
            &Default::default(),
            &object(json!({ "metadata": { "name": name } }))?,
        )
        .await?;
    let accounts: Api<ServiceAccount> = Api::namespaced(client.clone(), name);
    for _ in 0..500 {
        if accounts.get_opt("default").await?.is_some() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    anyhow::bail!("no default service account")
}

/// Expects a refusal with a code and a reason.
pub fn refused<T>(answer: kube::Result<T>, code: u16, reason: &str) -> Result<()> {
    match answer {
        Err(Error::Api(status)) => {
            ensure!(
                status.code == code && status.reason == reason,
                "{} {}, not {code} {reason}",
                status.code,
                status.reason
            );
            Ok(())
        }
        Err(error) => Err(error).context("no refusal of the server"),
        Ok(_) => anyhow::bail!("not refused: {code} {reason}"),
    }
}
