/**
 * Unpacks Debian 12's kubernetes-client, the oldest kubectl that Binnacle promises to serve, into .cache/kubectl-debian,
 * beside whatever kubectl is installed: its path collides with other packages. Prints the path of the binary.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageName = 'kubernetes-client';
const wantedVersion = '1.20.';
const cache = resolve(dirname(fileURLToPath(import.meta.url)), '..', '.cache');
const folder = join(cache, 'kubectl-debian');
const binary = join(folder, 'usr', 'bin', 'kubectl');

/** Runs to the end; what it prints goes to standard error, so that standard output holds the path alone. */
function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  if (error?.code === 'ENOENT') fail(`${command} is not here: this needs Debian 12, or a kubectl 1.20 at ${binary}`);
  return status === 0;
}

function fail(message) {
  console.error(`fetch-kubectl: ${message}`);
  process.exit(1);
}

/** The index of packages may be missing or old on a fresh machine. */
function download(target) {
  const args = ['-q', '-o', 'APT::Sandbox::User=root', 'download', packageName];
  if (run('apt-get', args, target)) return;
  run('apt-get', ['-q', 'update'], target);
  if (!run('apt-get', args, target)) fail(`apt-get cannot download ${packageName}`);
}

if (!existsSync(binary)) {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'kubectl-'));
  try {
    download(work);
    const archive = readdirSync(work).find((name) => name.endsWith('.deb'));
    if (archive === undefined || !run('dpkg-deb', ['-x', archive, 'content'], work))
      fail(`cannot unpack ${packageName}`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(work, 'content'), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const { stdout } = spawnSync(binary, ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
const version = JSON.parse(stdout || '{}').clientVersion?.gitVersion ?? 'unknown';
if (!version.startsWith(`v${wantedVersion}`))
  fail(`${binary} is ${version}, not v${wantedVersion}x; delete .cache and try again`);
console.log(binary);
