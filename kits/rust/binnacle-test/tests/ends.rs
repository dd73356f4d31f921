//! What remains of a test that fails or is killed. Each case runs this binary again.

use std::env;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use binnacle_test::{Options, Server};
use k8s_openapi::api::core::v1::Secret;
use kube::Api;
use kube::api::ListParams;

const CHILD: &str = "BINNACLE_TEST_CHILD";

/// Runs a test of this file alone, as the child.
fn again(test: &str, more: &[&str]) -> Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.args(["--exact", test]).args(more).env(CHILD, "1");
    Ok(command)
}

fn is_child() -> bool {
    env::var_os(CHILD).is_some()
}

/// The first address that a process prints.
fn address_of(child: &mut Child) -> Result<String> {
    let stdout = child.stdout.take().context("no standard output")?;
    for line in BufReader::new(stdout).lines() {
        if let Some(address) = line?.strip_prefix("https://") {
            return Ok(address.to_owned());
        }
    }
    anyhow::bail!("the child has started no server")
}

#[tokio::test]
async fn servers_end_with_a_killed_test() -> Result<()> {
    if is_child() {
        let server = Server::start(Options::new()).await?;
        println!("\n{}", server.url());
        std::future::pending::<()>().await;
    }
    let mut child = again("servers_end_with_a_killed_test", &["--nocapture"])?
        .stdout(Stdio::piped())
        .spawn()?;
    let address = address_of(&mut child)?;
    TcpStream::connect(&address).context("the server does not listen")?;
    // On Unix this is SIGKILL.
    child.kill()?;
    child.wait()?;
    let deadline = Instant::now() + Duration::from_secs(30);
    while TcpStream::connect(&address).is_ok() {
        ensure!(Instant::now() < deadline, "the server still listens");
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

#[tokio::test]
async fn a_failed_test_shows_the_log() -> Result<()> {
    if is_child() {
        let server = Server::start(Options::new()).await?;
        let secrets: Api<Secret> = Api::namespaced(server.client()?, "default");
        secrets.list(&ListParams::default()).await?;
        panic!("it fails");
    }
    let output = again("a_failed_test_shows_the_log", &[])?.output()?;
    let shown = String::from_utf8(output.stdout)?;
    ensure!(!output.status.success(), "the child has passed: {shown}");
    let request = shown
        .lines()
        .find(|line| line.contains("/api/v1/namespaces/default/secrets"));
    ensure!(
        request.is_some_and(|line| line.contains("resp=200")),
        "no request in {shown}"
    );
    Ok(())
}
