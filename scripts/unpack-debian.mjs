import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = resolve(dirname(fileURLToPath(import.meta.url)), '..', '.cache');
const DEBIAN_KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Runs a program until it ends. Its output goes to standard error, because standard output holds only the path. */
function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  if (error?.code === 'ENOENT') throw new Error(`${command} is not installed: this needs Debian`);
  return status === 0;
}

const aptOptions = ['-q', '-o', 'APT::Sandbox::User=root'];

/** The machine's index of packages may be missing or old. */
function downloadPackage(packageName, target) {
  const args = [...aptOptions, 'download', packageName];
  if (run('apt-get', args, target)) return;
  run('apt-get', ['-q', 'update'], target);
  if (!run('apt-get', args, target)) throw new Error(`apt-get cannot download ${packageName}`);
}

/** Where the machine gets Debian's own packages. */
function debianRepository() {
  const format = '$(ORIGIN) $(COMPONENT) $(REPO_URI)';
  const { stdout } = spawnSync('apt-get', ['indextargets', '--format', format], { encoding: 'utf8' });
  const uri = /^Debian main (\S+)$/m.exec(stdout ?? '')?.[1];
  if (uri === undefined) throw new Error('apt has no repository of Debian configured');
  return uri;
}

/** Takes the package from another suite of the machine's Debian repository, with an index of its own, verified by the machine's keys. */
function downloadFromSuite(packageName, suite, target) {
  const source = join(target, 'sources.list');
  writeFileSync(source, `deb [signed-by=${DEBIAN_KEYS}] ${debianRepository()} ${suite} main\n`);
  const settings = {
    'Dir::Etc::sourcelist': source,
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': join(target, 'lists'),
    'Dir::Cache': join(target, 'cache'),
    'Acquire::Languages': 'none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
  };
  const options = [...aptOptions, ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])];
  for (const folder of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(target, folder), { recursive: true });
  if (
    !run('apt-get', [...options, 'update'], target) ||
    !run('apt-get', [...options, 'download', packageName], target)
  ) {
    throw new Error(`apt-get cannot download ${packageName} of ${suite}`);
  }
}

/**
 * Unpacks a package of Debian into .cache/<folder>, unless its binary is there. Installs and starts nothing.
 * apt-get downloads the package, from `suite` where one is given, else from the machine's own release.
 * Checks the binary's version (`versionOf` asks for it) and resolves its path; rejects with a sentence on failure.
 */
export async function unpackDebian({ packageName, suite, folder: name, binary: path, wantedVersion, versionOf }) {
  const folder = join(cache, name);
  const binary = join(folder, path);

  if (!existsSync(binary)) {
    mkdirSync(cache, { recursive: true });
    const work = mkdtempSync(join(cache, 'unpack-'));
    try {
      if (suite === undefined) downloadPackage(packageName, work);
      else downloadFromSuite(packageName, suite, work);
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

/** For `catch`: prints the problem and ends the process. */
export const giveUp = (script) => (error) => {
  console.error(`${script}: ${error.message}`);
  process.exit(1);
};
