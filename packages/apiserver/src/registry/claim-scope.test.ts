import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClaimScope } from './claim-scope.js';

function recorded(): { calls: string[]; scope: ClaimScope } {
  const calls: string[] = [];
  const scope = new ClaimScope({
    commit: () => void calls.push('commit'),
    rollback: () => void calls.push('rollback'),
  });
  return { calls, scope };
}

describe('ClaimScope', () => {
  for (const [name, run, expected] of [
    ['releases once', async (scope: ClaimScope) => (await scope.release(), scope.release()), ['rollback']],
    [
      'releases nothing after a commit',
      async (scope: ClaimScope) => (await scope.commit(), scope.release()),
      ['commit'],
    ],
    [
      'commits nothing after a release',
      async (scope: ClaimScope) => (await scope.release(), scope.commit()),
      ['rollback'],
    ],
  ] as const) {
    it(name, async () => {
      const { calls, scope } = recorded();
      await run(scope);
      assert.deepEqual(calls, expected);
    });
  }

  it('keeps the claims of a commit that fails', async () => {
    let released = false;
    const scope = new ClaimScope({ commit: () => assert.fail('late'), rollback: () => void (released = true) });
    await assert.rejects(async () => scope.commit(), /late/);
    await scope.release();
    assert.equal(released, false);
  });
});
