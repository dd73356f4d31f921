use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{DeleteParams, ListParams, PostParams, Preconditions};
use kube::{Api, Client, ResourceExt};

use crate::support::{config_map, make_namespace, refused};

/// Creates, reads, writes, lists in pages and deletes.
pub async fn walk(client: &Client) -> Result<()> {
    let namespace = "rust-objects";
    make_namespace(client, namespace).await?;
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    let usual = PostParams::default();
    let created = maps.create(&usual, &config_map("a", "1")?).await?;
    refused(
        maps.create(&usual, &config_map("a", "1")?).await,
        409,
        "AlreadyExists",
    )?;
    refused(
        maps.create(&usual, &config_map("A", "1")?).await,
        422,
        "Invalid",
    )?;
    ensure!(
        maps.get("a").await? == created,
        "read is not what was created"
    );
    let mut changed = created.clone();
    changed.data = config_map("a", "2")?.data;
    maps.replace("a", &usual, &changed).await?;
    refused(maps.replace("a", &usual, &changed).await, 409, "Conflict")?;
    maps.create(
        &PostParams {
            dry_run: true,
            ..usual.clone()
        },
        &config_map("dry", "1")?,
    )
    .await?;
    ensure!(
        maps.get_opt("dry").await?.is_none(),
        "a dry run has written"
    );

    for n in 0..11 {
        maps.create(&usual, &config_map(&format!("map-{n}"), "1")?)
            .await?;
    }
    let (mut names, mut params) = (
        BTreeSet::new(),
        ListParams::default().labels("walk=yes").limit(5),
    );
    loop {
        let page = maps.list(&params).await?;
        ensure!(page.items.len() <= 5, "a page of {}", page.items.len());
        names.extend(page.items.iter().map(ResourceExt::name_any));
        match page.metadata.continue_.filter(|token| !token.is_empty()) {
            Some(token) => params = params.continue_token(&token),
            None => break,
        }
    }
    ensure!(names.len() == 12, "{names:?}");
    ensure!(
        maps.list_metadata(&ListParams::default().fields("metadata.name=map-3"))
            .await?
            .items
            .len()
            == 1
    );

    let other = Preconditions {
        uid: Some("another".into()),
        ..Default::default()
    };
    refused(
        maps.delete("a", &DeleteParams::default().preconditions(other))
            .await,
        409,
        "Conflict",
    )?;
    maps.delete("a", &DeleteParams::default()).await?;
    maps.delete_collection(
        &DeleteParams::default(),
        &ListParams::default().labels("walk"),
    )
    .await?;
    ensure!(
        maps.list(&ListParams::default().labels("walk"))
            .await?
            .items
            .is_empty(),
        "some are left"
    );
    Ok(())
}
