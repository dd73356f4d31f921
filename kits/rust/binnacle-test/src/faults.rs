use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Result;
use crate::server::Handle;

/// Makes requests fail, or slows them down. Parts of the path that are not set match everything.
///
/// ```
/// use binnacle_test::Fault;
///
/// let conflicts = Fault::answer(409).verb("update").resource("configmaps").times(2);
/// ```
#[derive(Clone, Debug)]
pub struct Fault {
    matching: Map<String, Value>,
    times: Option<u32>,
    action: Value,
}

/// How a fault ends a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchEnding {
    /// An ordinary end, like a timeout.
    End,
    /// A connection error.
    Break,
    /// An event with 410.
    Expire,
}

impl Fault {
    /// Refuses the request with the Status of an HTTP code, such as 409, and does not carry it out.
    pub fn answer(code: u16) -> Self {
        Self::action(json!({ "type": "answer", "code": code }))
    }

    /// Makes the request wait first, in whole milliseconds.
    pub fn delay(time: Duration) -> Self {
        let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self::action(json!({ "type": "delay", "milliseconds": milliseconds }))
    }

    /// Closes the connection without an answer.
    pub fn drop_connection() -> Self {
        Self::action(json!({ "type": "drop" }))
    }

    /// Ends a watch after this many more events.
    pub fn cut_watch(after_events: u32, how: WatchEnding) -> Self {
        let how = match how {
            WatchEnding::End => "end",
            WatchEnding::Break => "break",
            WatchEnding::Expire => "expire",
        };
        Self::action(json!({ "type": "cutWatch", "afterEvents": after_events, "how": how }))
    }

    /// Stops the cache of a resource until the fault is removed: watches are silent, and reads may be stale.
    pub fn hold_cache() -> Self {
        Self::action(json!({ "type": "holdCache" }))
    }

    /// Any action, as JSON: `{ "type": "answer", "code": 429, "retryAfterSeconds": 3 }`.
    pub fn action(action: Value) -> Self {
        Self {
            matching: Map::new(),
            times: None,
            action,
        }
    }

    /// Matches a verb: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `deletecollection`.
    pub fn verb(self, verb: &str) -> Self {
        self.matching("verb", verb)
    }

    /// Matches an API group; the core group is `""`.
    pub fn group(self, group: &str) -> Self {
        self.matching("group", group)
    }

    /// Matches a version of the group.
    pub fn version(self, version: &str) -> Self {
        self.matching("version", version)
    }

    /// Matches a resource, by its plural.
    pub fn resource(self, resource: &str) -> Self {
        self.matching("resource", resource)
    }

    /// Matches a subresource.
    pub fn subresource(self, subresource: &str) -> Self {
        self.matching("subresource", subresource)
    }

    /// Matches a namespace.
    pub fn namespace(self, namespace: &str) -> Self {
        self.matching("namespace", namespace)
    }

    /// Matches the name of an object. A create has none.
    pub fn name(self, name: &str) -> Self {
        self.matching("name", name)
    }

    /// Matches the name of the user.
    pub fn user(self, user: &str) -> Self {
        self.matching("user", user)
    }

    /// How often the fault acts. Without it: until it is removed.
    pub fn times(mut self, times: u32) -> Self {
        self.times = Some(times);
        self
    }

    fn matching(mut self, field: &str, value: &str) -> Self {
        self.matching.insert(field.to_owned(), value.into());
        self
    }

    pub(crate) fn rule(self) -> Value {
        let mut rule = json!({ "match": self.matching, "action": self.action });
        if let Some(times) = self.times {
            rule["times"] = times.into();
        }
        rule
    }
}

/// A fault of a server. It stays until [`ActiveFault::remove`], or until the server ends.
pub struct ActiveFault {
    server: Arc<Handle>,
    id: String,
}

impl ActiveFault {
    pub(crate) fn new(server: Arc<Handle>, id: String) -> Self {
        Self { server, id }
    }

    /// How often the fault has acted.
    pub async fn hits(&self) -> Result<u64> {
        #[derive(Deserialize)]
        struct Counted {
            hits: u64,
        }
        let fields = json!({ "fault": self.id });
        Ok(self.server.call::<Counted>("faultHits", fields).await?.hits)
    }

    /// Ends the fault. It may be called again.
    pub async fn remove(&self) -> Result<()> {
        self.server
            .tell("removeFault", json!({ "fault": self.id }))
            .await
    }
}

impl fmt::Debug for ActiveFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ActiveFault")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
