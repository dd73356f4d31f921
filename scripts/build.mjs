/**
 * Installs the packages of the lockfile, builds all packages and examples, and bundles the command. Each step runs only when needed.
 * With nothing to do it reads three JSON files and the times of the sources, and starts no process, so every start can call it.
 *
 * It runs in a fresh clone before anything is installed, so it imports only modules of Node.js.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, bundledEntries, consolePage } from './bundle.mjs';
import { writeCodeFingerprint } from './code-fingerprint.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const stampFile = join(root, '.cache', 'build-stamp');

/** True where node_modules holds every package of the lockfile in its version; npm itself records what it installed. */
function isInstalled() {
  const wanted = readJson(join(root, 'package-lock.json'));
  const present = readJson(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined || present === undefined) return false;
  for (const [path, entry] of Object.entries(wanted.packages)) {
    if (!path.startsWith('node_modules/')) continue;
    const found = present.packages[path];
    // Optional packages are builds for other platforms, which npm leaves out.
    if (found === undefined ? entry.optional !== true : found.version !== entry.version) return false;
  }
  return true;
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function install() {
  console.error('Installing dependencies (first start, or package-lock.json has changed) ...');
  run('npm', ['ci', '--prefer-offline', '--no-progress', '--loglevel=error'], { stdio: ['ignore', 2, 2] });
}

/** Folders with a `src` that is compiled into `dist`. */
const projects = () => ['packages', 'examples'].flatMap((parent) => projectsIn(join(root, parent)));

const projectsIn = (parent) =>
  readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(parent, entry.name, 'tsconfig.json')))
    .map((entry) => join(parent, entry.name));

function* filesUnder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else yield path;
  }
}

/** Files other than sources that decide the build: settings, the compiler, the bundler. */
const SETTINGS = [
  'package.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'scripts/bundle.mjs',
  'scripts/code-fingerprint.mjs',
  'node_modules/typescript/package.json',
  'node_modules/esbuild/package.json',
];

/** Changes whenever a source or a setting does: names, sizes and times, not contents. */
function fingerprint() {
  const hash = createHash('sha256');
  const add = (path) => {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${relative(root, path)}\0${mtimeMs}\0${size}\n`);
  };
  for (const file of SETTINGS) add(join(root, file));
  for (const folder of projects()) {
    add(join(folder, 'tsconfig.json'));
    add(join(folder, 'package.json'));
    for (const path of filesUnder(join(folder, 'src'))) add(path);
  }
  return hash.digest('hex');
}

function isBuilt(wanted) {
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== wanted) return false;
  return (
    projects().every((folder) => existsSync(join(folder, 'dist', '.tsbuildinfo'))) &&
    existsSync(join(root, consolePage)) &&
    bundledEntries(root).every((path) => existsSync(join(root, 'packages/binnacle/bundle', path)))
  );
}

/** Removes the output of deleted sources, which the compiler leaves; a deleted test would still run. */
function removeOrphans() {
  for (const folder of projects()) {
    const dist = join(folder, 'dist');
    if (!existsSync(dist)) continue;
    for (const path of filesUnder(dist)) {
      const name = relative(dist, path);
      const stem = name.replace(/\.(d\.ts|js)(\.map)?$/, '');
      if (stem === name) continue;
      const source = join(folder, 'src', stem);
      if (!existsSync(`${source}.ts`) && !existsSync(`${source}.tsx`)) rmSync(path);
    }
  }
}

async function build() {
  console.error('Building ...');
  removeOrphans();
  run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b'], { stdio: ['ignore', 2, 2] });
  try {
    await writeCodeFingerprint(root);
    await bundle(root);
  } catch (error) {
    console.error(`bundle: ${error.message}`);
    process.exit(1);
  }
}

function run(command, args, options) {
  const { status, signal, error } = spawnSync(command, args, { cwd: root, ...options });
  if (status === 0) return;
  console.error(
    `${[command, ...args].map((part) => basename(part)).join(' ')}: ${error?.message ?? (signal === null ? `exit code ${status}` : `ended by ${signal}`)}`,
  );
  process.exit(1);
}

if (!isInstalled()) install();
const before = fingerprint();
if (!isBuilt(before)) {
  await build();
  mkdirSync(dirname(stampFile), { recursive: true });
  // The sources before the build: a file that is saved while the compiler runs is compiled next time.
  writeFileSync(stampFile, before);
}
