/**
 * Builds the newest kubectl from its sources in the Go module proxy, into .cache/kubectl-newest, where the tests find it. Needs
 * Go 1.26 or newer. CI does not run it, because the first time takes some minutes. Prints the path of the binary.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWithGo } from './go.mjs';
import { repositoryRoot } from './test-files.mjs';

const folder = join(repositoryRoot, 'scripts/kubectl');
const binary = join(repositoryRoot, '.cache/kubectl-newest/kubectl');

/** The module of kubectl 1.37.2 has version 0.37.2. */
const [, minor, patch] = /k8s\.io\/kubectl v0\.(\d+)\.(\d+)/.exec(readFileSync(join(folder, 'go.mod'), 'utf8')) ?? [];
const linkerFlags = Object.entries({ gitVersion: `v1.${minor}.${patch}`, gitMajor: '1', gitMinor: minor })
  .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
  .join(' ');

buildWithGo('kubectl', ['build', `-ldflags=-s -w ${linkerFlags}`, '-o', binary, '.'], { cwd: folder });
console.log(binary);
