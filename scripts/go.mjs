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
