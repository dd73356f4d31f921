//! Kubernetes API servers of Binnacle for tests with kube-rs.
//!
//! ```no_run
//! use binnacle_test::{Options, Server};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::start(Options::new().crds(["config/crd"])).await?;
//! let client = server.client()?;
//! # Ok(())
//! # }
//! ```
//!
//! The servers of a test binary share one process, `binnacle test-servers`, which starts with the first of them. Each has its own port, objects
//! and log. They keep everything in memory. A server ends when its [`Server`] is dropped, and the process ends with the test binary, also when
//! that is killed.
//!
//! The crate finds Binnacle in this order: [`Options::binary`]; the environment variable `BINNACLE_PATH`; the command `binnacle` on the `PATH`;
//! the npm package in `node_modules` of the working directory or a folder above it, run with node. It downloads nothing.

mod command;
mod error;
mod faults;
mod options;
mod process;
mod server;
mod webhooks;

pub use error::Error;
pub use faults::{ActiveFault, Fault, WatchEnding};
pub use options::Options;
pub use server::{Server, Snapshot};
pub use webhooks::{WebhookOptions, Webhooks};

/// The result of what a server is asked for.
pub type Result<T> = std::result::Result<T, Error>;
