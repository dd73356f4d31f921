import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = resolve(dirname(fileURLToPath(import.meta.url)), '..', '.cache');
const DOWNLOAD_TIMEOUT_MS = 60_000;

/**
 * Unpacks a package of Debian into .cache/<folder>, unless its binary is there: nothing is installed, nothing is started.
 * The package comes from apt-get, or, where this machine's Debian has another version, from `archive` ({ url, sha256 }).
 * Checks the binary's version (`versionOf` asks for it) and resolves its path; rejects with a sentence where something
 * fails.
 */
export async function unpackDebian({ packageName, archive, folder: name, binary: path, wantedVersion, versionOf }) {
  const folder = join(cache, name);
  const binary = join(folder, path);

  /** Runs to the end; what it prints goes to standard error, so that standard output holds the path alone. */
  const run = (command, args, cwd) => {
    const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
    if (error?.code === 'ENOENT')
      throw new Error(`${command} is not here: this needs Debian, or version ${wantedVersion}x at ${binary}`);
    return status === 0;
  };

  /** The index of packages may be missing or old on a fresh machine. */
  const downloadWithApt = (target) => {
    const args = ['-q', '-o', 'APT::Sandbox::User=root', 'download', packageName];
    if (run('apt-get', args, target)) return;
    run('apt-get', ['-q', 'update'], target);
    if (!run('apt-get', args, target)) throw new Error(`apt-get cannot download ${packageName}`);
  };

  const download = async (target) => {
    if (archive === undefined) {
      downloadWithApt(target);
      return;
    }
    const response = await fetch(archive.url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`${archive.url}: ${response.status}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (createHash('sha256').update(bytes).digest('hex') !== archive.sha256)
      throw new Error(`${archive.url} is not what it was`);
    writeFileSync(join(target, `${packageName}.deb`), bytes);
  };

  if (!existsSync(binary)) {
    mkdirSync(cache, { recursive: true });
    const work = mkdtempSync(join(cache, 'unpack-'));
    try {
      await download(work);
      const file = readdirSync(work).find((one) => one.endsWith('.deb'));
      if (file === undefined || !run('dpkg-deb', ['-x', file, 'content'], work))
        throw new Error(`cannot unpack ${packageName}`);
      rmSync(folder, { recursive: true, force: true });
      renameSync(join(work, 'content'), folder);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }

  const version = versionOf(binary) ?? 'unknown';
  if (!version.startsWith(wantedVersion))
    throw new Error(`${binary} is ${version}, not ${wantedVersion}x; delete .cache and try again`);
  return binary;
}

/** For `catch`: says what is wrong and ends the process. */
export const giveUp = (script) => (error) => {
  console.error(`${script}: ${error.message}`);
  process.exit(1);
};
