/** How scripts and tests call Go: what it fetches and builds stays in .cache/go, and is there for all of them. */
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

/** Builds a program for those who have asked for it: Go says what it does, and a failure ends this program with 1. */
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
