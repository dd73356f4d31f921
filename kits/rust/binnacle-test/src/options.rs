use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

/// How a server starts. [`Options::new`] gives an empty server without control loops.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub(crate) binary: Option<PathBuf>,
    pub(crate) flags: Vec<String>,
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) definitions: Vec<Value>,
}

impl Options {
    /// An empty server without control loops.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the program, or its file `binnacle.js`. It takes precedence over `BINNACLE_PATH` and the `PATH`.
    pub fn binary(mut self, path: impl Into<PathBuf>) -> Self {
        self.binary = Some(path.into());
        self
    }

    /// Installs a CustomResourceDefinition, such as `Kite::crd()` of a type that derives `CustomResource`. The server is ready when it is
    /// established.
    ///
    /// # Panics
    ///
    /// When the definition cannot be written as JSON, which the types of k8s-openapi always can.
    pub fn crd(mut self, definition: &impl Serialize) -> Self {
        let value = serde_json::to_value(definition).expect("the definition is not JSON");
        self.definitions.push(value);
        self
    }

    /// Installs the CustomResourceDefinitions of files, and of the YAML and JSON files of folders. The server is ready when they are established.
    pub fn crds<P: Into<PathBuf>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.paths.extend(paths.into_iter().map(Into::into));
        self
    }

    /// Turns control loops on: `*`, or names separated by commas. Without it there are none, as with envtest.
    pub fn controllers(self, list: &str) -> Self {
        self.flags([format!("--controllers={list}")])
    }

    /// Adds simulated nodes, and a scheduler. With [`Options::controllers`] a Deployment gets pods, and they run.
    pub fn nodes(self, count: u32) -> Self {
        self.flags([format!("--nodes={count}"), "--scheduler".to_owned()])
    }

    /// Passes flags of `binnacle serve`, such as `--feature-gates=NAME=true`. Flags about files, ports and stores do not apply to a server in
    /// memory, and are refused.
    pub fn flags<F: Into<String>>(mut self, flags: impl IntoIterator<Item = F>) -> Self {
        self.flags.extend(flags.into_iter().map(Into::into));
        self
    }
}
