import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fromPs, identityOf, isRunning, ownIdentity } from './process-identity.js';

describe('the identity of a process', () => {
  it('is that of this process alone, and ends with it', async () => {
    const own = ownIdentity();
    assert.ok(isRunning(own));
    assert.equal(isRunning({ ...own, startedAt: `${own.startedAt}0` }), own.startedAt === '');
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(child, 'spawn');
    const identity = identityOf(child.pid ?? 0);
    assert.ok(isRunning(identity));
    child.stdin.end();
    await once(child, 'exit');
    assert.equal(isRunning(identity), false);
  });

  it('comes from ps where there is no /proc', { skip: process.platform === 'win32' && 'has no ps' }, (context) => {
    const first = fromPs(process.pid);
    if (first === undefined) return context.skip('ps is not installed');
    assert.match(first.startedAt, /^\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$/);
    assert.equal(fromPs(2 ** 22 + 1), undefined);
  });
});
