/** Runs Go for scripts and tests, which share its caches in .cache/go. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from './test-files.mjs';

const cache = join(repositoryRoot, '.cache/go');

export const goEnvironment = {
  GOMODCACHE: join(cache, 'modules'),
  GOCACHE: join(cache, 'build'),
  GOFLAGS: '-mod=readonly -modcacherw -vet=off',
  GOTOOLCHAIN: 'local',
  CGO_ENABLED: '0',
};

export const hasGo = () => spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;

/** Builds a program on request: shows the output of Go, and exits with 1 after a failure. */
export function buildWithGo(name, parameters, { env = {}, ...options } = {}) {
  const { status, error } = spawnSync('go', parameters, {
    ...options,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...goEnvironment, ...env },
  });
  if (status === 0) return;
  console.error(`${name} was not built${error === undefined ? '' : `, for ${error.message}`}; see above`);
  process.exit(1);
}
