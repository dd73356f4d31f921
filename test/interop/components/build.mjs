import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, goEnvironment, here, run } from '../programs.mjs';

/** The folder of the built components and their logs. */
export const binaries = join(cache, 'go/components');

const go = (folder, parameters) => run('go', parameters, { cwd: join(here, folder), env: goEnvironment });

const buildToolsOf = (folder) => go(folder, ['build', '-p', '2', '-ldflags=-s -w', '-o', `${binaries}/`, 'tool']);

/** Thousands of packages to build, the first time. */
export async function buildComponents() {
  await buildToolsOf('components');
  writeStamp('components');
}

/** Builds the components, unless they have been built from these versions. Resolves to the function of a name that returns the program's path. */
export async function builtComponents() {
  if (!isBuilt('components')) await buildComponents();
  return (name) => join(binaries, name);
}

/**
 * Builds upstream's suite, the programs of the images that it deploys, and the program that runs its specs at once, unless they have been
 * built from these versions. Resolves to the path of the suite.
 */
export async function builtSuite() {
  const suite = join(binaries, 'e2e.test');
  if (isBuilt('conformance')) return suite;
  await buildToolsOf('conformance');
  await go('conformance', ['test', '-c', '-p', '2', '-ldflags=-s -w', '-o', suite, 'k8s.io/kubernetes/test/e2e']);
  writeStamp('conformance');
  return suite;
}

/** Builds upstream's API server, unless it has been built from these versions. Resolves to its path. */
export async function builtKubeApiserver() {
  const program = join(binaries, 'kube-apiserver');
  if (isBuilt('components', program)) return program;
  const version = '-X k8s.io/component-base/version.gitVersion=v1.36.0';
  const flags = `-ldflags=-s -w ${version}`;
  await go('components', ['build', '-p', '2', flags, '-o', program, 'k8s.io/kubernetes/cmd/kube-apiserver']);
  writeStamp('components', program);
  return program;
}

/** A stamp names the versions that the programs of a folder were built from. */
const writeStamp = (folder, built = join(binaries, folder)) => writeFileSync(`${built}.stamp`, versionsOf(folder));

function isBuilt(folder, built = join(binaries, folder)) {
  const stamp = `${built}.stamp`;
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === versionsOf(folder);
}

function versionsOf(folder) {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(here, folder, file)));
  return hash.digest('hex');
}
