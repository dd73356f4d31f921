import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkClockAndRandom, usesOf } from '../../scripts/check-clock-and-random.mjs';

const PLANTED = 'packages/disk/src/store/planted.ts';

/** Faults of a repository with these files, beside sound ones. */
function faultsOf(files) {
  const root = mkdtempSync(join(tmpdir(), 'check-time-'));
  const all = {
    'scripts/clock-and-random.json': JSON.stringify({
      home: 'packages/pure/src/clock/',
      roots: { 'packages/disk/src/start/': 'the default' },
      exceptions: { 'packages/disk/src/store/turn.ts': { uses: ['performance.now'], reason: 'measures a turn' } },
    }),
    'packages/pure/src/clock/clock.ts': 'export const systemClock = { now: () => Date.now() };',
    'packages/disk/src/start/start.ts': 'export const clock = systemClock;',
    'packages/disk/src/store/turn.ts': 'export const begun = performance.now();',
    'packages/disk/src/store/turn.test.ts': 'setTimeout(() => Math.random(), Date.now());',
    'packages/disk/src/testing/until.ts': 'export const end = Date.now() + 1000;',
    ...files,
  };
  try {
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return checkClockAndRandom(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

describe('clock and random numbers', () => {
  it('come from one room in this repository', () => {
    assert.deepEqual(checkClockAndRandom(fileURLToPath(new URL('../..', import.meta.url))), []);
  });

  it('are free in their room, in roots, exceptions and tests', () => assert.deepEqual(faultsOf({}), []));

  for (const [use, source] of [
    ['Date.now', 'const at = Date.now();'],
    ['Date.now', 'const now = options.now ?? Date.now;'],
    ['new Date()', 'const at = new Date().toISOString();'],
    ['new Date()', 'const at = new Date;'],
    ['performance.now', 'const begun = performance.now();'],
    ['process.hrtime', 'const begun = process.hrtime.bigint();'],
    ['setTimeout', 'const timer = setTimeout(run, 5);'],
    ['setTimeout', 'await new Promise((resolve) => setTimeout(resolve, 5));'],
    ['setTimeout', "import { setTimeout as delay } from 'node:timers/promises';"],
    ['setTimeout', 'globalThis.setTimeout(run);'],
    ['setInterval', 'setInterval(run, 5).unref();'],
    ['node:timers', "import timers from 'node:timers/promises';"],
    ['node:timers', "import { scheduler } from 'node:timers/promises';"],
    ['AbortSignal.timeout', 'const signal = AbortSignal.timeout(5);'],
    ['Math.random', 'const delay = 5 * Math.random(); // spread'],
    ['randomUUID', 'const id = crypto.randomUUID();'],
    ['randomBytes', "import { randomBytes } from 'node:crypto';"],
  ]) {
    it(`are found in ${source}`, () => {
      assert.deepEqual(usesOf(source), [use]);
      assert.deepEqual(faultsOf({ [PLANTED]: source }), [
        `${PLANTED}: uses ${use}; take a Clock or a Random of packages/pure/src/clock/`,
      ]);
    });
  }

  for (const source of [
    '/** Default: Math.random. */',
    '  // Node calls setTimeout at once.',
    'session.setTimeout(5, run);',
    'const time = new Date(milliseconds);',
    "import { setImmediate as nextTurn } from 'node:timers/promises';",
    "const accept = 'application/json, */*';",
  ]) {
    it(`are not found in ${source}`, () => assert.deepEqual(usesOf(source), []));
  }

  it('of the system belong to roots', () => {
    assert.deepEqual(faultsOf({ [PLANTED]: 'const { clock = systemClock } = options;' }), [
      `${PLANTED}: uses the system's clock or random numbers; take them from the caller`,
    ]);
  });

  it('have no exception that is not needed', () => {
    assert.deepEqual(faultsOf({ 'packages/disk/src/store/turn.ts': '', 'packages/disk/src/start/start.ts': '' }), [
      'scripts/clock-and-random.json: packages/disk/src/store/turn.ts does not use performance.now',
      'scripts/clock-and-random.json: packages/disk/src/start/ is not used',
    ]);
  });
});
