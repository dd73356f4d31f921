/// Why a server does not start, or does not do what it is asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no program: says where it was looked for.
    #[error("{0}")]
    NotFound(String),
    /// Binnacle has refused the request, in its words.
    #[error("{0}")]
    Refused(String),
    /// The process of the servers has ended. Says what it wrote to standard error.
    #[error("binnacle has ended: {0}")]
    Ended(String),
    /// The process does not start, or a file cannot be written.
    #[error("binnacle: {0}")]
    Io(#[from] std::io::Error),
    /// A request cannot be written, or an answer not be read.
    #[error("binnacle: {0}")]
    Json(#[from] serde_json::Error),
    /// The kubeconfig of a server is none for kube-rs.
    #[error(transparent)]
    Kubeconfig(#[from] kube::config::KubeconfigError),
    /// kube-rs cannot make a client, as without a feature for TLS.
    #[error(transparent)]
    Client(#[from] Box<kube::Error>),
}
