import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, goEnvironment, here, run } from '../programs.mjs';

/** The folder of the built components and their logs. */
export const binaries = join(cache, 'go/components');

const buildToolsOf = (folder) =>
  run('go', ['build', '-p', '2', '-ldflags=-s -w', '-o', `${binaries}/`, 'tool'], {
    cwd: join(here, folder),
    env: goEnvironment,
  });

/** Names the versions that the components were built from. */
const stampFile = join(binaries, 'components.stamp');

/** Thousands of packages to build, the first time. */
export async function buildComponents() {
  await buildToolsOf('components');
  writeFileSync(stampFile, versionsOfComponents());
}

/** Builds the components, unless they have been built from these versions. Resolves to the function of a name that returns the program's path. */
export async function builtComponents() {
  const isBuilt = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === versionsOfComponents();
  if (!isBuilt) await buildComponents();
  return (name) => join(binaries, name);
}

function versionsOfComponents() {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(here, 'components', file)));
  return hash.digest('hex');
}

/** The programs of images that upstream's suite deploys. */
export const buildImages = () => buildToolsOf('conformance');
