/**
 * Builds the newest kubectl out of its sources, which the Go module proxy has, into .cache/kubectl-newest, where the tests find it. Needs
 * Go 1.26 or newer; takes some minutes the first time, and is therefore nothing that CI does. Prints the path of the binary.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goEnvironment } from './go.mjs';
import { repositoryRoot } from './test-files.mjs';

const folder = join(repositoryRoot, 'scripts/kubectl');
const binary = join(repositoryRoot, '.cache/kubectl-newest/kubectl');

/** Modules of kubectl are called 0.37.2 where the program is 1.37.2. */
const [, minor, patch] = /k8s\.io\/kubectl v0\.(\d+)\.(\d+)/.exec(readFileSync(join(folder, 'go.mod'), 'utf8')) ?? [];
const linkerFlags = Object.entries({ gitVersion: `v1.${minor}.${patch}`, gitMajor: '1', gitMinor: minor })
  .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
  .join(' ');

const { status, error } = spawnSync('go', ['build', `-ldflags=-s -w ${linkerFlags}`, '-o', binary, '.'], {
  cwd: folder,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, ...goEnvironment },
});
if (status !== 0) {
  console.error(
    `build-kubectl: kubectl was not built${error === undefined ? '' : `, for ${error.message}`}; see above`,
  );
  process.exit(1);
}
console.log(binary);
