import { join } from 'node:path';
import { cache, goEnvironment, here, run } from '../programs.mjs';

/** The folder of the built components and their logs. */
export const binaries = join(cache, 'go/components');

const buildToolsOf = (folder) =>
  run('go', ['build', '-p', '2', '-ldflags=-s -w', '-o', `${binaries}/`, 'tool'], {
    cwd: join(here, folder),
    env: goEnvironment,
  });

/** Thousands of packages to build, the first time. */
export const buildComponents = () => buildToolsOf('components');

/** The programs of images that upstream's suite deploys. */
export const buildImages = () => buildToolsOf('conformance');
