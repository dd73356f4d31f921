import { join } from 'node:path';
import { cache, goEnvironment, here, run } from '../programs.mjs';

/** Where what is built of Kubernetes stands, and what it says is kept. */
export const binaries = join(cache, 'go/components');

/** Thousands of packages to build, the first time. */
export const buildComponents = () =>
  run('go', ['build', '-p', '2', '-ldflags=-s -w', '-o', `${binaries}/`, 'tool'], {
    cwd: join(here, 'components'),
    env: goEnvironment,
  });
