import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runChecks } from './health.js';

describe('health', () => {
  const odd: unknown = 'text';
  const checks = [
    { name: 'ping', check: () => undefined },
    { name: 'store', check: () => Promise.reject(new Error('password wrong for bob')) },
    {
      name: 'odd/one',
      check: () => {
        throw odd;
      },
    },
  ];

  it('runs all checks and withholds reasons', async () => {
    assert.deepEqual(await runChecks(checks.slice(0, 1), ''), { passed: true, text: '[+]ping ok\n' });
    assert.deepEqual(await runChecks(checks, ''), {
      passed: false,
      text: '[+]ping ok\n[-]store failed: reason withheld\n[-]odd/one failed: reason withheld\n',
    });
    assert.deepEqual(await runChecks([], ''), { passed: true, text: '' });
  });

  it('runs one check and shows its reason', async () => {
    assert.deepEqual(await runChecks(checks, 'ping'), { passed: true, text: '[+]ping ok\n' });
    assert.equal((await runChecks(checks, 'store'))?.text, '[-]store failed: password wrong for bob\n');
    assert.equal((await runChecks(checks, 'odd/one'))?.text, '[-]odd/one failed: no reason given\n');
    assert.equal(await runChecks(checks, 'unknown'), undefined);
  });
});
