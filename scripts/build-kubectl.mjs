/**
 * Builds the newest kubectl out of its sources, which the Go module proxy has, into .cache/kubectl-newest, where the tests find it. Needs
 * Go 1.26 or newer; takes some minutes the first time, and is therefore nothing that CI does. Prints the path of the binary.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWithGo } from './go.mjs';
import { repositoryRoot } from './test-files.mjs';

const folder = join(repositoryRoot, 'scripts/kubectl');
const binary = join(repositoryRoot, '.cache/kubectl-newest/kubectl');

/** Modules of kubectl are called 0.37.2 where the program is 1.37.2. */
const [, minor, patch] = /k8s\.io\/kubectl v0\.(\d+)\.(\d+)/.exec(readFileSync(join(folder, 'go.mod'), 'utf8')) ?? [];
const linkerFlags = Object.entries({ gitVersion: `v1.${minor}.${patch}`, gitMajor: '1', gitMinor: minor })
  .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
  .join(' ');

buildWithGo('kubectl', ['build', `-ldflags=-s -w ${linkerFlags}`, '-o', binary, '.'], { cwd: folder });
console.log(binary);
