//! Does what programs do with kube-rs, and says what did not come out as it should. The cluster is that of KUBECONFIG.
//! Without a word all was well.

mod custom;
mod eviction;
mod objects;
mod patches;
mod support;
mod watches;

use kube::{Client, Config};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    if let Err(error) = walk().await {
        eprintln!("{error:#}");
        std::process::exit(1);
    }
}

async fn walk() -> anyhow::Result<()> {
    let mut config = Config::infer().await?;
    // With retries a refused eviction is told after minutes.
    config.default_retry = false;
    let client = Client::try_from(config)?;
    objects::walk(&client).await?;
    patches::walk(&client).await?;
    watches::walk(&client).await?;
    eviction::walk(&client).await?;
    custom::walk(&client).await
}
