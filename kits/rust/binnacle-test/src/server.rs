use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::command::{Surroundings, find_command};
use crate::process::Process;
use crate::{ActiveFault, Fault, Options, Result, WebhookOptions, Webhooks};

/// How much of the log a failed test shows.
const LOGGED_LINES: usize = 100;
/// How long a failed test waits for the log.
const LOG_TIMEOUT: Duration = Duration::from_secs(5);

/// An API server in memory. It ends when it is dropped; when the test panics it first prints its last requests.
///
/// A server belongs to no runtime of tokio. So tests can share one, and fork it:
///
/// ```no_run
/// use binnacle_test::{Options, Result, Server};
/// use tokio::sync::OnceCell;
///
/// static BASE: OnceCell<Server> = OnceCell::const_new();
///
/// async fn server() -> Result<Server> {
///     let start = || Server::start(Options::new().crds(["config/crd"]));
///     BASE.get_or_try_init(start).await?.fork().await
/// }
/// ```
pub struct Server {
    handle: Arc<Handle>,
    url: String,
    kubeconfig: String,
    config: Config,
}

/// A state of all objects of one server.
#[derive(Clone, Debug)]
pub struct Snapshot(String);

/// What calls of a server need.
pub(crate) struct Handle {
    process: Arc<Process>,
    id: String,
    has_stopped: AtomicBool,
}

#[derive(Deserialize)]
struct Started {
    server: String,
    url: String,
    kubeconfig: String,
}

#[derive(Deserialize)]
struct Log {
    lines: Vec<String>,
}

impl Server {
    /// Starts a server on a free port, and returns when it is ready.
    pub async fn start(options: Options) -> Result<Self> {
        let command = find_command(options.binary.as_deref(), &Surroundings::current()?)?;
        let process = Process::shared(command)?;
        let (files, paths) = definitions(&options)?;
        let fields = json!({ "flags": options.flags, "definitions": paths });
        let started = process.call("start", fields).await;
        drop(files);
        Self::new(process, started?).await
    }

    /// Starts a server with all objects of this one, and the same flags. It copies nothing, so that it takes milliseconds. Neither server sees
    /// later writes to the other. Install definitions once, and fork for each test.
    pub async fn fork(&self) -> Result<Self> {
        let started = self.handle.call("fork", json!({})).await?;
        Self::new(self.handle.process.clone(), started).await
    }

    async fn new(process: Arc<Process>, started: Value) -> Result<Self> {
        let started: Started = serde_json::from_value(started)?;
        let kubeconfig = Kubeconfig::from_yaml(&started.kubeconfig)?;
        Ok(Self {
            handle: Arc::new(Handle {
                process,
                id: started.server,
                has_stopped: AtomicBool::new(false),
            }),
            url: started.url,
            kubeconfig: started.kubeconfig,
            config: Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default())
                .await?,
        })
    }

    /// The configuration of clients that act as administrator. They retry 429, 503 and 504, unless `default_retry` of a copy is false.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// A client that acts as administrator. It belongs to the runtime of the caller.
    ///
    /// # Panics
    ///
    /// Outside a runtime of tokio, as kube-rs does.
    pub fn client(&self) -> Result<Client> {
        Ok(Client::try_from(self.config.clone()).map_err(Box::new)?)
    }

    /// `https://host:port`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The kubeconfig of the administrator, text for any client.
    pub fn kubeconfig(&self) -> &str {
        &self.kubeconfig
    }

    /// The path of a file with the kubeconfig, which is removed with the server.
    pub async fn kubeconfig_file(&self) -> Result<PathBuf> {
        #[derive(Deserialize)]
        struct Written {
            path: PathBuf,
        }
        let written: Written = self.handle.call("kubeconfigFile", json!({})).await?;
        Ok(written.path)
    }

    /// Installs the CustomResourceDefinitions of files and folders, and returns when they are established.
    pub async fn install_crds<P: AsRef<Path>>(
        &self,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<()> {
        let fields = json!({ "paths": absolute(paths)? });
        self.handle.tell("installDefinitions", fields).await
    }

    /// Applies webhook configurations, and points their webhooks at a server of the test's own process, which is to listen at once.
    pub async fn install_webhooks(&self, options: WebhookOptions) -> Result<Webhooks> {
        let mut fields = json!({ "paths": absolute(options.paths)? });
        if let Some(host) = options.host {
            fields["host"] = host.into();
        }
        if let Some(port) = options.port {
            fields["port"] = port.into();
        }
        self.handle.call("installWebhooks", fields).await
    }

    /// Keeps the current state for [`Server::reset`].
    pub async fn snapshot(&self) -> Result<Snapshot> {
        #[derive(Deserialize)]
        struct Taken {
            snapshot: String,
        }
        let taken: Taken = self.handle.call("snapshot", json!({})).await?;
        Ok(Snapshot(taken.snapshot))
    }

    /// Gives all objects the content that they had at the snapshot. Clients see ordinary events; versions never go down.
    pub async fn reset(&self, snapshot: &Snapshot) -> Result<()> {
        let fields = json!({ "snapshot": snapshot.0 });
        self.handle.tell("reset", fields).await
    }

    /// Makes requests fail, wait or break.
    pub async fn inject_fault(&self, fault: Fault) -> Result<ActiveFault> {
        #[derive(Deserialize)]
        struct Added {
            fault: String,
        }
        let fields = json!({ "rule": fault.rule() });
        let added: Added = self.handle.call("addFault", fields).await?;
        Ok(ActiveFault::new(self.handle.clone(), added.fault))
    }

    /// The last lines of the server's log, one for each request.
    pub async fn log(&self) -> Result<Vec<String>> {
        Ok(self.handle.call::<Log>("log", json!({})).await?.lines)
    }

    /// Ends the server and its watches, and returns when it has ended. A drop ends it too, and does not wait.
    pub async fn stop(self) -> Result<()> {
        self.handle.has_stopped.store(true, Ordering::Relaxed);
        self.handle.tell("stop", json!({})).await
    }

    /// Standard error of the test, which shows it when it fails.
    fn print_log(&self) {
        let (sender, receiver) = mpsc::channel();
        let receive = move |answer| drop(sender.send(answer));
        self.handle.send("log", json!({}), Box::new(receive));
        let Ok(Ok(log)) = receiver.recv_timeout(LOG_TIMEOUT) else {
            return eprintln!("the log of {} cannot be read", self.url);
        };
        let lines = serde_json::from_value::<Log>(log).map_or(vec![], |log| log.lines);
        let last = &lines[lines.len().saturating_sub(LOGGED_LINES)..];
        eprintln!("the log of {} ends with:\n{}", self.url, last.join("\n"));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.handle.has_stopped.load(Ordering::Relaxed) {
            return;
        }
        if std::thread::panicking() {
            self.print_log();
        }
        self.handle.send("stop", json!({}), Box::new(drop));
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Server")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

impl Handle {
    pub async fn call<T: DeserializeOwned>(&self, name: &str, fields: Value) -> Result<T> {
        let result = self.process.call(name, self.of_this(fields)).await?;
        Ok(serde_json::from_value(result)?)
    }

    /// A call without a result.
    pub async fn tell(&self, name: &str, fields: Value) -> Result<()> {
        let fields = self.of_this(fields);
        self.process.call(name, fields).await.map(drop)
    }

    fn send(&self, name: &str, fields: Value, receive: Box<dyn FnOnce(Result<Value>) + Send>) {
        self.process.send(name, self.of_this(fields), receive);
    }

    fn of_this(&self, mut fields: Value) -> Value {
        fields["server"] = self.id.as_str().into();
        fields
    }
}

/// The paths of all definitions, and files to remove after the start.
fn definitions(options: &Options) -> Result<(Vec<NamedTempFile>, Vec<PathBuf>)> {
    let mut paths = absolute(&options.paths)?;
    let mut files = vec![];
    for definition in &options.definitions {
        let mut file = tempfile::Builder::new().suffix(".json").tempfile()?;
        serde_json::to_writer(&mut file, definition)?;
        file.flush()?;
        paths.push(file.path().to_owned());
        files.push(file);
    }
    Ok((files, paths))
}

/// For a process that may have another working directory.
fn absolute<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Vec<PathBuf>> {
    let found = paths.into_iter().map(std::path::absolute);
    Ok(found.collect::<std::io::Result<_>>()?)
}
