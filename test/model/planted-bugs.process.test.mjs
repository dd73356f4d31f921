import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from './checker/check.mjs';
import { playRound } from './round.mjs';
import { LocalServer } from './servers/local-server.mjs';
import { plantedBugs } from './servers/planted-bugs.mjs';
import { ServerProcess } from './servers/server.mjs';

const seed = 7;

/** The predicates that a round finds broken. */
async function brokenBy(server, round) {
  const { violations } = check(await playRound(server, { seed, seconds: 1.5, faults: [], catchUpMs: 2000, ...round }));
  return new Set(violations.map(({ predicate }) => predicate));
}

describe('a planted bug is caught', { timeout: 240_000 }, () => {
  it('but where there is none, none is', async () => {
    assert.deepEqual(
      await brokenBy(new LocalServer({ lagMs: 60 }), { faults: ['drop', 'restart'], seconds: 3 }),
      new Set(),
    );
  });

  for (const [bug, { round = {} }] of Object.entries(plantedBugs)) {
    it(bug, async (t) => {
      const { lagMs, ...rest } = round;
      const broken = await brokenBy(new LocalServer({ bug, lagMs }), rest);
      t.diagnostic([...broken].join(', '));
      assert.ok(broken.size > 0);
    });
  }

  it('forget what is on disk', async (t) => {
    const broken = await brokenBy(new ServerProcess({ build: 'test', store: 'embedded' }), {
      faults: ['rollback'],
      seconds: 3,
    });
    t.diagnostic([...broken].join(', '));
    assert.ok(broken.size > 0);
  });
});
