import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { Authentication } from '../connection/authentication.js';
import { FakeMember } from '../fake-member.testing.js';
import { fetchOldestRevision } from './oldest-revision.js';

function fetching() {
  const clock = new VirtualClock();
  const member = new FakeMember(() => undefined);
  const { current } = new Authentication(undefined, () => Promise.resolve(''));
  const oldest = fetchOldestRevision(member.client, current, { key: Buffer.from('probe'), compacted: 3 }, clock);
  return { clock, oldest, stream: member.stream };
}

describe('the oldest revision', () => {
  it('is in the refusal of a watch from a compacted one', async () => {
    const { oldest, stream, clock } = fetching();
    const create = {
      type: 'create',
      watchId: 1,
      key: Buffer.from('probe'),
      rangeEnd: Buffer.alloc(0),
      startRevision: 3,
    };
    assert.deepEqual(stream.written, [create]);
    stream.answer({ created: true });
    stream.answer({ canceled: true, compactRevision: 90 });
    assert.equal(await oldest, 90);
    assert.deepEqual([stream.isCanceled, clock.waiting], [true, 0]);
  });

  it('is 0 when the member says nothing: it is behind', async () => {
    const { oldest, stream, clock } = fetching();
    await clock.advance(1000);
    assert.equal(await oldest, 0);
    assert.ok(stream.isCanceled);
  });

  it('fails when the watch is refused for another reason, or the stream breaks', async () => {
    const refused = fetching();
    refused.stream.answer({ canceled: true, cancelReason: 'permission denied' });
    const message = 'etcd does not allow watching its history: permission denied';
    await assert.rejects(refused.oldest, { code: 'unavailable', message });
    const broken = fetching();
    broken.stream.emit('error', new Error('broken'));
    await assert.rejects(broken.oldest, { code: 'unavailable', message: 'etcd: broken' });
    assert.equal(broken.clock.waiting, 0);
  });
});
