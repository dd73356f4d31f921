import { join } from 'node:path';
import { cache, goEnvironment, here, run } from '../programs.mjs';

/** The folder of the built components and their logs. */
export const binaries = join(cache, 'go/components');

/** Thousands of packages to build, the first time. */
export const buildComponents = () =>
  run('go', ['build', '-p', '2', '-ldflags=-s -w', '-o', `${binaries}/`, 'tool'], {
    cwd: join(here, 'components'),
    env: goEnvironment,
  });
