import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from './checker/check.mjs';
import { isThorough } from '../thorough.mjs';
import { playRound } from './round.mjs';
import { LocalServer } from './servers/local-server.mjs';
import { plantedBugs } from './servers/planted-bugs.mjs';
import { ServerProcess } from './servers/server.mjs';

/** The predicates that a round finds broken. If the bug did not show, plays another round, up to six. */
async function brokenBy(makeServer, round) {
  for (const seed of [7, 8, 9, 10, 11, 12]) {
    const history = await playRound(makeServer(), { seed, seconds: 1.5, faults: [], catchUpMs: 2000, ...round });
    const { violations } = check(history);
    if (violations.length > 0) return [...new Set(violations.map(({ predicate }) => predicate))];
  }
  return [];
}

async function isCaught(t, makeServer, round) {
  const broken = await brokenBy(makeServer, round);
  t.diagnostic(broken.join(', '));
  assert.notDeepEqual(broken, []);
}

/** The bugs that a broken checker would miss first, one of each promise; `npm run test:thorough` plants all. */
const ALWAYS = new Set([
  'swap two events',
  'lose an acknowledged write',
  'accept a stale fencing token',
  'answer a stale read',
]);
const planted = Object.entries(plantedBugs).filter(([bug]) => isThorough || ALWAYS.has(bug));

describe('a planted bug is caught', { timeout: 300_000 }, () => {
  it('but a correct server passes', async () => {
    const server = new LocalServer({ lagMs: 60 });
    const history = await playRound(server, { seed: 7, seconds: 3, faults: ['drop', 'restart'] });
    assert.deepEqual(check(history).violations, []);
  });

  for (const [bug, { round = {} }] of planted) {
    const { lagMs, ...rest } = round;
    it(bug, (t) => isCaught(t, () => new LocalServer({ bug, lagMs }), rest));
  }

  it('lose what is on disk', (t) => {
    const makeServer = () => new ServerProcess({ build: 'test', store: 'embedded' });
    return isCaught(t, makeServer, { faults: ['rollback'], seconds: 3 });
  });
});
