import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import { linger } from './linger.js';

it('a socket is destroyed after a second, unless it has closed before', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const slow = new PassThrough();
  linger(slow);
  context.mock.timers.tick(999);
  assert.equal(slow.destroyed, false);
  context.mock.timers.tick(1);
  assert.equal(slow.destroyed, true);

  const closed = new PassThrough();
  linger(closed);
  closed.destroy();
  await once(closed, 'close');
  const destroy = context.mock.method(closed, 'destroy');
  context.mock.timers.tick(1000);
  assert.equal(destroy.mock.callCount(), 0);
});
