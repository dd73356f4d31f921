//! The process that runs the servers: `binnacle test-servers`.
//!
//! Threads read it, not tasks: each `#[tokio::test]` has a runtime of its own, and the process outlives them.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;

use serde::Deserialize;
use serde_json::Value;

use crate::{Error, Result};

/// Processes by their commands. They stay until this process ends: a pipe closes then, whatever the end.
static PROCESSES: LazyLock<Mutex<HashMap<Vec<PathBuf>, Arc<Process>>>> =
    LazyLock::new(Default::default);

/// How much of standard error is kept, in bytes.
const MOST_TEXT: usize = 16 * 1024;

/// Receives the answer to a call, on the thread that reads the process.
type Receiver = Box<dyn FnOnce(Result<Value>) + Send>;

/// A running process. It ends when its standard input closes, so also when this process is killed.
pub struct Process {
    /// Apart from the calls: a write may wait until answers are read.
    stdin: Mutex<Option<ChildStdin>>,
    calls: Mutex<Calls>,
    errors: Mutex<Vec<u8>>,
}

#[derive(Default)]
struct Calls {
    last_id: u64,
    waiting: HashMap<u64, Receiver>,
    /// No call is added any more.
    has_ended: bool,
}

#[derive(Deserialize)]
struct Answer {
    id: u64,
    #[serde(default)]
    result: Value,
    error: Option<String>,
}

impl Process {
    /// The process of a command, which starts when there is none.
    pub fn shared(command: Vec<PathBuf>) -> Result<Arc<Self>> {
        let mut processes = lock(&PROCESSES);
        if let Some(running) = processes.get(&command).filter(|each| !each.has_ended()) {
            return Ok(running.clone());
        }
        let started = Self::start(&command)?;
        processes.insert(command, started.clone());
        Ok(started)
    }

    fn start(command: &[PathBuf]) -> Result<Arc<Self>> {
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| Error::NotFound("binnacle was not found".to_owned()))?;
        // Standard error is not that of the test: cargo would wait until every process has closed it.
        let mut child = Command::new(program)
            .args(arguments)
            .arg("test-servers")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Arc::new(Self {
            stdin: Mutex::new(stdin),
            calls: Mutex::default(),
            errors: Mutex::default(),
        });
        let (reader, of_errors) = (process.clone(), process.clone());
        let errors = thread::spawn(move || of_errors.read_errors(stderr));
        thread::spawn(move || {
            reader.read_answers(stdout);
            // What it wrote last says why it has ended.
            let _ = errors.join();
            reader.end(child);
        });
        Ok(process)
    }

    /// Sends a call. `receive` gets its result, or why there is none.
    pub fn send(&self, name: &str, fields: Value, receive: Receiver) {
        let id = {
            let mut calls = lock(&self.calls);
            if calls.has_ended {
                drop(calls);
                return receive(Err(self.ended()));
            }
            calls.last_id += 1;
            let id = calls.last_id;
            calls.waiting.insert(id, receive);
            id
        };
        let mut request = fields;
        request["id"] = id.into();
        request["call"] = name.into();
        if let Some(stdin) = lock(&self.stdin).as_mut() {
            // A process that no longer reads is about to end: `end` then answers all calls.
            let _ = stdin.write_all(format!("{request}\n").as_bytes());
        }
    }

    /// The result of a call.
    pub async fn call(&self, name: &str, fields: Value) -> Result<Value> {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let receive = move |answer| drop(sender.send(answer));
        self.send(name, fields, Box::new(receive));
        receiver.await.unwrap_or_else(|_| Err(self.ended()))
    }

    fn has_ended(&self) -> bool {
        lock(&self.calls).has_ended
    }

    fn read_answers(&self, stdout: Option<ChildStdout>) {
        for line in stdout
            .map(BufReader::new)
            .into_iter()
            .flat_map(BufRead::lines)
        {
            let Ok(line) = line else { return };
            let Ok(Answer { id, result, error }) = serde_json::from_str(&line) else {
                continue;
            };
            let receive = lock(&self.calls).waiting.remove(&id);
            if let Some(receive) = receive {
                receive(error.map_or(Ok(result), |words| Err(Error::Refused(words))));
            }
        }
    }

    fn read_errors(&self, stderr: Option<ChildStderr>) {
        let Some(mut stderr) = stderr else { return };
        let mut piece = [0; 4096];
        while let Ok(size @ 1..) = stderr.read(&mut piece) {
            let mut text = lock(&self.errors);
            text.extend_from_slice(&piece[..size]);
            let surplus = text.len().saturating_sub(MOST_TEXT);
            text.drain(..surplus);
        }
    }

    fn end(&self, mut child: Child) {
        let waiting = {
            let mut calls = lock(&self.calls);
            calls.has_ended = true;
            std::mem::take(&mut calls.waiting)
        };
        *lock(&self.stdin) = None;
        let _ = child.wait();
        for receive in waiting.into_values() {
            receive(Err(self.ended()));
        }
    }

    fn ended(&self) -> Error {
        Error::Ended(
            String::from_utf8_lossy(&lock(&self.errors))
                .trim()
                .to_owned(),
        )
    }
}

/// A test that panics must not fail the others: all states behind these locks are whole between statements.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use serde_json::json;

    use super::*;

    fn script(folder: &tempfile::TempDir, text: &str) -> Vec<PathBuf> {
        let path = folder.path().join("program");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        vec![path]
    }

    #[tokio::test]
    async fn an_ended_process_says_why_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let command = script(&folder, "read line; echo out of luck >&2; exit 3");
        let process = Process::shared(command.clone()).unwrap();
        for _ in 0..2 {
            let refused = process.call("start", json!({})).await.unwrap_err();
            assert_eq!(refused.to_string(), "binnacle has ended: out of luck");
        }
        let next = Process::shared(command).unwrap();
        assert!(!Arc::ptr_eq(&process, &next));
    }

    #[tokio::test]
    async fn answers_come_in_any_order() {
        let folder = tempfile::tempdir().unwrap();
        let answers = r#"read a; read b; echo '{"id":2,"error":"no"}'; echo '{"id":1,"result":{"n":1}}'; read c"#;
        let process = Process::shared(script(&folder, answers)).unwrap();
        let (first, second) =
            tokio::join!(process.call("a", json!({})), process.call("b", json!({})));
        assert_eq!(first.unwrap(), json!({ "n": 1 }));
        assert!(matches!(second, Err(Error::Refused(words)) if words == "no"));
    }
}
