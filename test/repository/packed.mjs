/** The packages as users get them: packed, and installed in a project of their own. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './documentation.mjs';

/** Packs all packages into `target`: `{ name, folder, tarball, manifest, files }`, files as paths in the package. */
export async function packAll(target) {
  const output = await run('npm', ['pack', '--workspaces', '--json', '--pack-destination', target], root);
  return JSON.parse(output).map(({ name, filename, files }) => {
    const folder = join(root, 'packages', name.replace('@binnacle/', ''));
    const manifest = readJson(join(folder, 'package.json'));
    return { name, folder, tarball: join(target, filename), manifest, files: files.map(({ path }) => path) };
  });
}

/** What a program can import of a package: each export, and for a pattern each file that fits it. */
export function importsOf({ name, manifest, files }) {
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    const [before, after] = (target.default ?? target).slice('./'.length).split('*');
    if (after === undefined) return [name + subpath.slice(1)];
    return files
      .filter((path) => path.startsWith(before) && path.endsWith(after))
      .map((path) => name + subpath.slice(1).replace('*', path.slice(before.length, path.length - after.length)));
  });
}

/** Makes a strict TypeScript project in a folder, with the packages and nothing of this repository. npm asks its cache first. */
export async function install(folder, packages) {
  const { devDependencies } = readJson(join(root, 'package.json'));
  writeProject(folder);
  const specifiers = [`@types/node@${devDependencies['@types/node']}`, ...packages.map(({ tarball }) => tarball)];
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...options, ...specifiers], folder);
}

/**
 * The same project without npm, which takes most of a minute: the packages are unpacked, and what their manifests ask for is copied from this
 * repository's `node_modules`.
 */
export async function unpack(folder, packages) {
  writeProject(folder);
  const modules = join(folder, 'node_modules');
  for (const { name, tarball } of packages) {
    const target = join(modules, name);
    mkdirSync(target, { recursive: true });
    await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', target], folder);
  }
  const copied = new Set(packages.map(({ name }) => name));
  const copy = (name) => {
    const source = join(root, 'node_modules', name);
    // Optional packages are builds for other platforms.
    if (copied.has(name) || !existsSync(source)) return;
    copied.add(name);
    cpSync(source, join(modules, name), { recursive: true });
    copyAll(readJson(join(source, 'package.json')));
  };
  const copyAll = ({ dependencies = {}, optionalDependencies = {}, peerDependencies = {} }) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) copy(name);
  };
  copy('@types/node');
  for (const { manifest } of packages) copyAll(manifest);
}

function writeProject(folder) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  writeFileSync(join(folder, 'tsconfig.json'), configuration);
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Checks the declarations of the packages along with the programs. */
const configuration = JSON.stringify({
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    outDir: 'built',
    rootDir: '.',
  },
  include: ['*.ts'],
});

/**
 * Compiles `*.ts` of a folder into `built`. Rejects on errors in them and in declarations of our packages; those of other
 * packages have errors in strict projects.
 */
export async function compile(folder) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { output } = await runToEnd(process.execPath, [compiler, '-p', folder], folder);
  const errors = output.split('\n').filter((line) => /^[^ ].*error TS/.test(line));
  assert.deepEqual(
    errors.filter((line) => !/^node_modules\/(?!@?binnacle\/)/.test(line)),
    [],
  );
}

/** Resolves to the standard output; rejects with all output when the program fails. */
export async function run(program, parameters, cwd) {
  const { code, output, errors } = await runToEnd(program, parameters, cwd);
  assert.equal(code, 0, output + errors);
  return output;
}

async function runToEnd(program, parameters, cwd) {
  const child = spawn(program, parameters, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { code, output, errors };
}

/** npm passes its settings for this repository to the programs it starts. They must not act as parts of this test. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(NODE_TEST_CONTEXT|INIT_CWD|npm_(package|lifecycle)_.*|npm_config_local_prefix)$/.test(name),
  ),
);
