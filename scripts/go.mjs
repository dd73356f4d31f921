/** Runs Go for scripts and tests, which share its caches in .cache/go. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { repositoryRoot } from './test-files.mjs';

const cache = join(repositoryRoot, '.cache/go');

export const goEnvironment = {
  GOMODCACHE: join(cache, 'modules'),
  GOCACHE: join(cache, 'build'),
  GOFLAGS: '-mod=readonly -modcacherw -vet=off',
  GOTOOLCHAIN: 'local',
  CGO_ENABLED: '0',
};

/**
 * For programs that run for seconds and take minutes to build: without optimization, which is more than a third of the work. Their packages are
 * not shared with those of `goEnvironment`.
 */
export const quickGoEnvironment = {
  ...goEnvironment,
  GOFLAGS: `${goEnvironment.GOFLAGS} '-gcflags=all=-N -l -dwarf=false'`,
};

const buildMark = join(cache, 'building');

/** Tells other processes that this one builds Go programs, for as long as `build` runs. */
export function whileBuilding(build) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(buildMark, String(process.pid));
  try {
    build();
  } finally {
    rmSync(buildMark, { force: true });
  }
}

/** Waits for a process in `whileBuilding`: two that build at once compile each package twice. */
export async function noOneBuilds() {
  while (isBuilding()) await pause(200);
}

function isBuilding() {
  try {
    return process.kill(Number(readFileSync(buildMark, 'utf8')), 0);
  } catch {
    // There is no mark, or its process was killed.
    return false;
  }
}

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
