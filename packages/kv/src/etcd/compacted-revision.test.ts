import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { KVError } from '../interface/index.js';
import { CompactedRevision } from './compacted-revision.js';
import { Caller } from './connection/caller.js';
import { FakeMember, FakeMembers, serviceError } from './fake-member.testing.js';
import type { RangeCall } from './messages/kv-messages.js';

/** etcd with this oldest and newest revision. */
class Store {
  oldest = 1;
  newest = 100;
  failure: Error | undefined;
  readonly asked: number[] = [];
  readonly clock = new VirtualClock();
  readonly member = new FakeMember(({ request }) => {
    const { revision = 0 } = request as RangeCall;
    this.asked.push(revision);
    if (this.failure !== undefined) throw this.failure;
    if (revision < this.oldest) throw serviceError('etcdserver: mvcc: required revision has been compacted');
    if (revision > this.newest) throw serviceError('etcdserver: mvcc: required revision is a future revision');
    return { revision: this.newest, items: [], more: false, count: 0 };
  });
  readonly compacted = new CompactedRevision({
    caller: new Caller(new FakeMembers(this.member), undefined, 1000, this.clock),
    probeKey: '/probe',
    clock: this.clock,
    timeoutMilliseconds: 1000,
  });
}

describe('the compacted revision of etcd', () => {
  let store = new Store();
  beforeEach(() => {
    store = new Store();
  });

  it('tells a compacted revision from others', async () => {
    store.oldest = 10;
    const answers = await Promise.all([0, 9, 10, 100, 101].map((revision) => store.compacted.includes(revision)));
    assert.deepEqual(answers, [true, true, false, false, false]);
  });

  it('rejects if etcd does not answer', async () => {
    store.failure = serviceError('etcdserver: no leader');
    await assert.rejects(store.compacted.includes(5));
    await assert.rejects(store.compacted.current(undefined), KVError);
  });

  it('is what was noted, while that is not compacted further', async () => {
    store.oldest = 10;
    store.compacted.note(10);
    store.compacted.note(7);
    assert.equal(await store.compacted.current(undefined), 10);
    assert.deepEqual([store.asked, store.member.streams.length], [[10], 0]);
  });

  it('asks with a watch how far another client has compacted', async () => {
    store.oldest = 40;
    store.compacted.note(10);
    const current = store.compacted.current(undefined);
    await settle();
    assert.deepEqual(
      store.member.stream.written.map((call) => call.type === 'create' && call.startRevision),
      [10],
    );
    store.member.stream.answer({ canceled: true, compactRevision: 40 });
    assert.equal(await current, 40);
    assert.ok(store.member.stream.isCanceled);
  });
});
