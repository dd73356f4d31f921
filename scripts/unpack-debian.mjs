import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = resolve(dirname(fileURLToPath(import.meta.url)), '..', '.cache');

/**
 * Unpacks a package of Debian 12 into .cache/<folder>, unless its binary is there: nothing is installed, nothing is
 * started. Checks the binary's version (`versionOf` asks for it), prints its path, and ends the process in a sentence
 * where something fails.
 */
export function unpackDebian({ script, packageName, folder: name, binary: path, wantedVersion, versionOf }) {
  const folder = join(cache, name);
  const binary = join(folder, path);

  const fail = (message) => {
    console.error(`${script}: ${message}`);
    process.exit(1);
  };

  /** Runs to the end; what it prints goes to standard error, so that standard output holds the path alone. */
  const run = (command, args, cwd) => {
    const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
    if (error?.code === 'ENOENT')
      fail(`${command} is not here: this needs Debian 12, or version ${wantedVersion}x at ${binary}`);
    return status === 0;
  };

  /** The index of packages may be missing or old on a fresh machine. */
  const download = (target) => {
    const args = ['-q', '-o', 'APT::Sandbox::User=root', 'download', packageName];
    if (run('apt-get', args, target)) return;
    run('apt-get', ['-q', 'update'], target);
    if (!run('apt-get', args, target)) fail(`apt-get cannot download ${packageName}`);
  };

  if (!existsSync(binary)) {
    mkdirSync(cache, { recursive: true });
    const work = mkdtempSync(join(cache, 'unpack-'));
    try {
      download(work);
      const archive = readdirSync(work).find((file) => file.endsWith('.deb'));
      if (archive === undefined || !run('dpkg-deb', ['-x', archive, 'content'], work))
        fail(`cannot unpack ${packageName}`);
      rmSync(folder, { recursive: true, force: true });
      renameSync(join(work, 'content'), folder);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }

  const version = versionOf(binary) ?? 'unknown';
  if (!version.startsWith(wantedVersion))
    fail(`${binary} is ${version}, not ${wantedVersion}x; delete .cache and try again`);
  console.log(binary);
}
