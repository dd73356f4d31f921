//! What a server does.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use binnacle_test::{Fault, Options, Server, WatchEnding, WebhookOptions};
use futures::TryStreamExt;
use k8s_openapi::api::core::v1::{ConfigMap, Node, Pod};
use kube::api::{
    ApiResource, DynamicObject, GroupVersionKind, ListParams, PostParams, WatchParams,
};
use kube::core::WatchEvent;
use kube::runtime::wait::{await_condition, conditions};
use kube::{Api, Client};
use serde_json::{Value, json};

fn file(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

fn maps(server: &Server) -> Result<Api<ConfigMap>> {
    Ok(Api::namespaced(server.client()?, "default"))
}

fn config_map(name: &str) -> Result<ConfigMap> {
    Ok(serde_json::from_value(
        json!({ "metadata": { "name": name } }),
    )?)
}

async fn create(maps: &Api<ConfigMap>, name: &str) -> Result<()> {
    maps.create(&PostParams::default(), &config_map(name)?)
        .await?;
    Ok(())
}

/// A client that shows each refusal, where kube-rs would try again.
fn client_without_retries(server: &Server) -> Result<Client> {
    let mut config = server.config().clone();
    config.default_retry = false;
    Ok(Client::try_from(config)?)
}

fn code_of<T>(answer: kube::Result<T>) -> Result<u16> {
    match answer {
        Err(kube::Error::Api(status)) => Ok(status.code),
        Err(other) => bail!(other),
        Ok(_) => bail!("the request is not refused"),
    }
}

#[tokio::test]
async fn forks_see_only_their_own_writes() -> Result<()> {
    let base = Server::start(Options::new()).await?;
    create(&maps(&base)?, "before").await?;
    let (first, second) = (base.fork().await?, base.fork().await?);
    for server in [&first, &second] {
        let maps = maps(server)?;
        ensure!(maps.get_opt("before").await?.is_some());
        create(&maps, "a").await?;
    }
    ensure!(maps(&base)?.get_opt("a").await?.is_none());
    ensure!(first.url() != second.url());
    Ok(())
}

#[tokio::test]
async fn a_hundred_forks() -> Result<()> {
    let base = Server::start(Options::new().crds([file("crds")])).await?;
    let forks: Vec<_> = (0..100).map(|_| base.fork()).collect();
    let forks = futures::future::try_join_all(forks).await?;
    let creates = forks
        .iter()
        .map(async |each| create(&maps(each)?, "a").await);
    futures::future::try_join_all(creates).await?;
    Ok(())
}

#[tokio::test]
async fn resets() -> Result<()> {
    let server = Server::start(Options::new()).await?;
    let maps = maps(&server)?;
    let clean = server.snapshot().await?;
    create(&maps, "a").await?;
    server.reset(&clean).await?;
    ensure!(maps.get_opt("a").await?.is_none());
    Ok(())
}

#[tokio::test]
async fn faults() -> Result<()> {
    let server = Server::start(Options::new()).await?;
    let maps: Api<ConfigMap> = Api::namespaced(client_without_retries(&server)?, "default");
    let refusal = Fault::answer(503)
        .verb("create")
        .resource("configmaps")
        .times(1);
    let refusal = server.inject_fault(refusal).await?;
    let usual = PostParams::default();
    ensure!(code_of(maps.create(&usual, &config_map("a")?).await)? == 503);
    create(&maps, "a").await?;
    ensure!(refusal.hits().await? == 1);
    ensure!(server.log().await?.join("\n").contains("resp=503"));
    refusal.remove().await?;
    refusal.remove().await?;
    let refused = refusal.hits().await.unwrap_err().to_string();
    ensure!(refused.contains("there is no fault"), "{refused}");

    let lost = server
        .inject_fault(Fault::drop_connection().verb("get").name("a").times(1))
        .await?;
    ensure!(maps.get("a").await.is_err());
    ensure!(lost.hits().await? == 1);
    let slow = server
        .inject_fault(Fault::delay(Duration::from_millis(1)).namespace("default"))
        .await?;
    maps.get("a").await?;
    ensure!(slow.hits().await? == 1);
    let unknown = Fault::action(json!({ "type": "sink" }));
    let refused = server.inject_fault(unknown).await.unwrap_err().to_string();
    ensure!(refused.contains("action.type: must be"), "{refused}");
    Ok(())
}

#[tokio::test]
async fn watches_expire() -> Result<()> {
    let server = Server::start(Options::new()).await?;
    let maps = maps(&server)?;
    let cut = Fault::cut_watch(1, WatchEnding::Expire).resource("configmaps");
    let cut = server.inject_fault(cut).await?;
    let listed = maps.list(&ListParams::default()).await?.metadata;
    let version = listed.resource_version.unwrap_or_default();
    let quiet = WatchParams::default().disable_bookmarks();
    let mut events = Box::pin(maps.watch(&quiet, &version).await?);
    create(&maps, "a").await?;
    ensure!(matches!(
        events.try_next().await?,
        Some(WatchEvent::Added(_))
    ));
    match events.try_next().await? {
        Some(WatchEvent::Error(status)) => ensure!(status.code == 410),
        other => bail!("{other:?} is not the end"),
    }
    ensure!(cut.hits().await? == 1);
    Ok(())
}

#[tokio::test]
async fn controllers_and_nodes() -> Result<()> {
    let server = Server::start(Options::new().controllers("*").nodes(1)).await?;
    let nodes: Api<Node> = Api::all(server.client()?);
    let is_there = await_condition(nodes, "node-0", |node: Option<&Node>| node.is_some());
    tokio::time::timeout(Duration::from_secs(30), is_there).await??;
    let pods: Api<Pod> = Api::namespaced(server.client()?, "default");
    let pod: Pod = serde_json::from_value(json!({
        "metadata": { "name": "web" },
        "spec": { "containers": [{ "name": "web", "image": "example.com/web" }] },
    }))?;
    // The default service account comes soon.
    let created = async {
        while pods.create(&PostParams::default(), &pod).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        await_condition(pods.clone(), "web", conditions::is_pod_running()).await
    };
    tokio::time::timeout(Duration::from_secs(30), created).await??;
    Ok(())
}

#[tokio::test]
async fn definitions_of_files() -> Result<()> {
    let server = Server::start(Options::new()).await?;
    server.install_crds([file("crds")]).await?;
    let kind = ApiResource::from_gvk(&GroupVersionKind::gvk("example.com", "v1", "Buoy"));
    let buoys: Api<DynamicObject> = Api::namespaced_with(server.client()?, "default", &kind);
    let buoy = DynamicObject::new("a", &kind).data(json!({ "spec": { "lamps": 1 } }));
    let created = buoys.create(&PostParams::default(), &buoy).await?;
    ensure!(created.data["spec"]["lamps"] == 1);
    Ok(())
}

#[tokio::test]
async fn webhooks() -> Result<()> {
    let server = Server::start(Options::new()).await?;
    let paths = vec![file("webhook.yaml")];
    let free = WebhookOptions {
        paths: paths.clone(),
        ..Default::default()
    };
    let installed = server.install_webhooks(free).await?;
    ensure!(installed.host == "127.0.0.1" && installed.port > 0);
    ensure!(installed.directory.join("tls.key").exists());
    let chosen = WebhookOptions {
        paths,
        port: Some(1),
        ..Default::default()
    };
    ensure!(server.install_webhooks(chosen).await?.port == 1);
    // No webhook server listens.
    let maps = maps(&server)?;
    let refused = maps.create(&PostParams::default(), &config_map("a")?).await;
    ensure!(code_of(refused)? == 500);
    Ok(())
}

#[tokio::test]
async fn a_kubeconfig_file_ends_with_the_server() -> Result<()> {
    let server = Server::start(Options::new()).await?;
    let path = server.kubeconfig_file().await?;
    ensure!(std::fs::read_to_string(&path)? == server.kubeconfig());
    server.stop().await?;
    ensure!(!path.exists());
    Ok(())
}

#[tokio::test]
async fn a_dropped_server_ends() -> Result<()> {
    let server = Server::start(Options::new()).await?;
    let path = server.kubeconfig_file().await?;
    drop(server);
    while path.exists() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

#[tokio::test]
async fn mistakes() -> Result<()> {
    let invalid: Value = json!({ "kind": "ConfigMap", "apiVersion": "v1" });
    for (options, message) in [
        (
            Options::new().flags(["--nodez=1"]),
            "unknown option '--nodez=1'",
        ),
        (
            Options::new().flags(["--data-dir=x"]),
            "--data-dir does not apply to a test server",
        ),
        (Options::new().crds(["none"]), "none: "),
        (Options::new().crd(&invalid), "CustomResourceDefinition"),
        (Options::new().binary("none"), "none does not exist"),
    ] {
        let refused = Server::start(options).await.unwrap_err().to_string();
        ensure!(refused.contains(message), "{message} is not in {refused}");
    }
    Ok(())
}
