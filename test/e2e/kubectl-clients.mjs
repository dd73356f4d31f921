import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Folders that may contain kubectl; scripts put the oldest supported and the newest version in the first two. */
const folders = [
  join(root, '.cache', 'kubectl-debian', 'usr', 'bin'),
  join(root, '.cache', 'kubectl-newest'),
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/bin',
  '/usr/local/bin',
  '/usr/lib/google-cloud-sdk/bin',
  '/snap/bin',
];

/** Every kubectl on this machine, oldest first, one per version: `[{ path, version: 'v1.33.1', minor: 33 }, ...]`. */
export function findKubectls() {
  const paths = new Set(
    folders
      .filter((folder) => folder !== '' && existsSync(folder))
      .flatMap((folder) =>
        readdirSync(folder)
          .filter(isKubectl)
          .map((name) => realpathSync(join(folder, name))),
      ),
  );
  const found = [...paths].map(describeKubectl).filter((client) => client !== undefined);
  const versions = new Map(found.map((client) => [client.version, client]));
  return [...versions.values()].sort((a, b) => a.minor - b.minor || a.version.localeCompare(b.version));
}

/** Matches `kubectl` and versioned names such as `kubectl.1.30`, but not plugins such as `kubectl-foo`. */
const isKubectl = (name) => /^kubectl([.-]v?1\.[0-9]+(\.[0-9]+)?)?$/.test(name);

/** Undefined if the file does not run or is not kubectl. */
export function describeKubectl(path) {
  const { stdout } = spawnSync(path, ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  try {
    const version = JSON.parse(stdout).clientVersion.gitVersion;
    const minor = Number(/^v1\.([0-9]+)\./.exec(version)?.[1]);
    return Number.isInteger(minor) ? { path, version, minor } : undefined;
  } catch {
    return undefined;
  }
}
