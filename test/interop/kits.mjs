/** What the suites of the test kits share: the kits and Binnacle as users get them. */
import { createHash } from 'node:crypto';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { install, packAll } from '../repository/packed.mjs';
import { here, run } from './programs.mjs';

export const repository = resolve(here, '../..');

/** An empty folder for as long as `use` runs: `use(folder)`. */
export async function inEmptyFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'kits-'));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Packs Binnacle and installs it in `node_modules` of a folder. */
export async function installBinnacle(folder) {
  const tarballs = join(folder, 'tarballs');
  mkdirSync(tarballs);
  await install(folder, await packAll(tarballs));
}

/**
 * Writes the files of a Go module that git knows or would add, as a module proxy serves them. Returns `{ version, proxy }`: a version that
 * names the content, since Go keeps what it has seen of a version.
 */
export async function packGoModule(path, module, target) {
  const tree = await treeOf(path, target);
  const version = `v0.1.0-pre.${createHash('sha256').update(tree).digest('hex').slice(0, 12)}`;
  const folder = join(target, module, '@v');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${version}.info`), JSON.stringify({ Version: version, Time: '2026-01-01T00:00:00Z' }));
  writeFileSync(join(folder, `${version}.mod`), readFileSync(join(repository, path, 'go.mod')));
  const archive = join(folder, `${version}.zip`);
  await run('git', ['archive', '--format=zip', `--prefix=${module}@${version}/`, '-o', archive, tree], {
    cwd: repository,
  });
  return { version, proxy: `file://${target}` };
}

/** The tree of a folder as it is in the working copy. */
async function treeOf(path, target) {
  const options = { cwd: repository, env: { GIT_INDEX_FILE: join(target, 'index') } };
  await run('git', ['add', '--', path], options);
  const tree = await run('git', ['write-tree', `--prefix=${path}/`], options);
  return tree.trim();
}
