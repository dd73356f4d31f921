use std::time::Duration;

use anyhow::{Context, Result, ensure};
use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{DeleteParams, PostParams};
use kube::runtime::watcher::{self, Event, watcher};
use kube::runtime::{WatchStreamExt, reflector};
use kube::{Api, Client, ResourceExt};

use crate::support::{config_map, make_namespace};

/// Watches with the watcher, which lists first or has the list streamed, and keeps what it sees in a store.
pub async fn walk(client: &Client) -> Result<()> {
    for (namespace, config) in [
        ("rust-listed", watcher::Config::default()),
        (
            "rust-streamed",
            watcher::Config::default().streaming_lists(),
        ),
    ] {
        make_namespace(client, namespace).await?;
        tokio::time::timeout(
            Duration::from_secs(60),
            watch(client, namespace, config.labels("walk")),
        )
        .await
        .context(namespace)?
        .context(namespace)?;
    }
    Ok(())
}

async fn watch(client: &Client, namespace: &str, config: watcher::Config) -> Result<()> {
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    maps.create(&PostParams::default(), &config_map("before", "1")?)
        .await?;
    let (kept, writer) = reflector::store();
    let mut events = watcher(maps.clone(), config).reflect(writer).boxed();
    let mut initial = vec![];
    loop {
        match events.try_next().await?.context("the watch has ended")? {
            Event::Init => {}
            Event::InitApply(map) => initial.push(map.name_any()),
            Event::InitDone => break,
            other => anyhow::bail!("{other:?} in the initial list"),
        }
    }
    ensure!(initial == ["before"], "{initial:?}");

    maps.create(&PostParams::default(), &config_map("a", "1")?)
        .await?;
    let mut applied = vec![];
    while applied.len() < 2 {
        match events.try_next().await?.context("the watch has ended")? {
            Event::Apply(map) => {
                applied.push(map.data.clone().unwrap_or_default()["n"].clone());
                if applied.len() == 1 {
                    let mut changed = map;
                    changed.data = config_map("a", "2")?.data;
                    maps.replace("a", &PostParams::default(), &changed).await?;
                }
            }
            other => anyhow::bail!("{other:?} instead of a change"),
        }
    }
    ensure!(applied == ["1", "2"], "{applied:?}");
    ensure!(kept.state().len() == 2, "{} kept", kept.state().len());
    maps.delete("a", &DeleteParams::default()).await?;
    let event = events.try_next().await?.context("the watch has ended")?;
    ensure!(
        matches!(&event, Event::Delete(map) if map.name_any() == "a"),
        "{event:?}"
    );
    ensure!(kept.state().len() == 1, "{} kept", kept.state().len());
    Ok(())
}
