use std::path::PathBuf;

use serde::Deserialize;

/// The webhooks to install.
#[derive(Clone, Debug, Default)]
pub struct WebhookOptions {
    /// Files and folders with webhook configurations, and with CustomResourceDefinitions that convert by webhook.
    pub paths: Vec<PathBuf>,
    /// Where the webhook server listens. Default: 127.0.0.1.
    pub host: Option<String>,
    /// The port of the webhook server. Default: a free one.
    pub port: Option<u16>,
}

/// What a webhook server needs to know.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Webhooks {
    /// Where the webhook server listens.
    pub host: String,
    /// The port that it listens on.
    pub port: u16,
    /// A folder with `tls.crt`, `tls.key` and `ca.crt`. It is removed with the server.
    pub directory: PathBuf,
}
