//! Where Binnacle is.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::{Error, Result};

const NOT_FOUND: &str = "binnacle was not found: set BINNACLE_PATH to the program, put binnacle on the PATH, \
    or run npm install binnacle in this folder or one above it";

/// What the search reads of this process.
pub struct Surroundings {
    pub binnacle_path: Option<PathBuf>,
    pub path: Vec<PathBuf>,
    pub directory: PathBuf,
}

impl Surroundings {
    pub fn current() -> Result<Self> {
        Ok(Self {
            binnacle_path: env::var_os("BINNACLE_PATH")
                .filter(|value| !value.is_empty())
                .map(PathBuf::from),
            path: env::var_os("PATH")
                .map(|value| env::split_paths(&value).collect())
                .unwrap_or_default(),
            directory: env::current_dir()?,
        })
    }

    fn which(&self, name: &str) -> Option<PathBuf> {
        let name = format!("{name}{}", env::consts::EXE_SUFFIX);
        self.path
            .iter()
            .map(|folder| folder.join(&name))
            .find(|file| is_executable(file))
    }
}

/// The program and its first arguments.
pub fn find_command(binary: Option<&Path>, around: &Surroundings) -> Result<Vec<PathBuf>> {
    if let Some(named) = binary.or(around.binnacle_path.as_deref()) {
        if !named.exists() {
            return Err(Error::NotFound(format!(
                "{} does not exist",
                named.display()
            )));
        }
        return with_interpreter(named.to_owned(), around);
    }
    if let Some(found) = around.which("binnacle") {
        return Ok(vec![found]);
    }
    let script = around
        .directory
        .ancestors()
        .map(|folder| folder.join("node_modules/binnacle/bin/binnacle.js"))
        .find(|file| file.exists())
        .ok_or_else(|| Error::NotFound(NOT_FOUND.to_owned()))?;
    with_interpreter(script, around)
}

fn with_interpreter(path: PathBuf, around: &Surroundings) -> Result<Vec<PathBuf>> {
    if path.extension() != Some(OsStr::new("js")) {
        return Ok(vec![path]);
    }
    let node = around.which("node").ok_or_else(|| {
        Error::NotFound(format!(
            "{} needs node, which is not on the PATH",
            path.display()
        ))
    })?;
    Ok(vec![node, path])
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A folder with a program on the path, and the npm package in a folder above the working directory.
    fn folder() -> (tempfile::TempDir, Surroundings) {
        let root = tempfile::tempdir().unwrap();
        let around = Surroundings {
            binnacle_path: None,
            path: vec![root.path().join("bin")],
            directory: root.path().join("project/crate"),
        };
        fs::create_dir_all(&around.directory).unwrap();
        fs::create_dir_all(&around.path[0]).unwrap();
        (root, around)
    }

    fn program(path: PathBuf) -> PathBuf {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[test]
    fn each_place_takes_precedence_over_the_next() {
        let (root, mut around) = folder();
        let refused = find_command(None, &around).unwrap_err().to_string();
        assert!(refused.contains("set BINNACLE_PATH"), "{refused}");

        let script = program(
            root.path()
                .join("project/node_modules/binnacle/bin/binnacle.js"),
        );
        let refused = find_command(None, &around).unwrap_err().to_string();
        assert!(refused.contains("needs node"), "{refused}");
        let node = program(root.path().join("bin/node"));
        assert_eq!(
            find_command(None, &around).unwrap(),
            [node.clone(), script.clone()]
        );

        let on_path = program(root.path().join("bin/binnacle"));
        assert_eq!(find_command(None, &around).unwrap(), [on_path]);

        around.binnacle_path = Some(script.clone());
        assert_eq!(find_command(None, &around).unwrap(), [node, script]);

        let named = program(root.path().join("other"));
        assert_eq!(find_command(Some(&named), &around).unwrap(), [named]);
        let refused = find_command(Some(Path::new("none")), &around).unwrap_err();
        assert_eq!(refused.to_string(), "none does not exist");
    }
}
