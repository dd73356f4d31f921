import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { status } from '@grpc/grpc-js';
import { seededRandom, settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { EtcdKV } from './etcd-kv.js';
import { type FakeCall, FakeMember, FakeMembers, serviceError } from './fake-member.testing.js';
import { leaseGrantMethod, statusMethod } from './messages/cluster-messages.js';
import { compactMethod, rangeMethod, txnMethod } from './messages/kv-messages.js';

/** A store over one member, which answers by these functions of the request. */
function storeOf(answers: Record<string, (request: never) => unknown>) {
  const member = new FakeMember(({ path, request }: FakeCall) => {
    const answer = answers[path] ?? assert.fail(`${path} is not expected`);
    // The path decides the type of the request.
    return answer(request as never);
  });
  const members = new FakeMembers(member);
  const options = { endpoints: ['etcd'], clock: new VirtualClock(), random: seededRandom(1) };
  const kv = new EtcdKV({ ...options, probeKey: '/probe' }, members);
  return { kv, member, members, clock: options.clock, paths: () => member.calls.map(({ path }) => path) };
}

const put = (value = 'x', rest: object = {}) => ({ type: 'put', value: Buffer.from(value), ...rest }) as const;
const found = { key: '/a', value: Buffer.from('x'), createRevision: 3, modRevision: 5 };
const revisionOf = (revision: number) => () => ({ revision, items: [], count: 0 });
const compacted = () => {
  throw serviceError('etcdserver: mvcc: required revision has been compacted', status.OUT_OF_RANGE);
};

describe('a write', () => {
  const cases: readonly (readonly [name: string, answer: object, result: object])[] = [
    ['a create', { succeeded: true, revision: 9, found: undefined }, { succeeded: true, revision: 9 }],
    ['an update', { succeeded: true, revision: 9, found }, { succeeded: true, revision: 9, previous: found }],
    ['a lost race', { succeeded: false, revision: 9, found }, { succeeded: false, revision: 9, current: found }],
    ['a missing key', { succeeded: false, revision: 9, found: undefined }, { succeeded: false, revision: 9 }],
  ];
  for (const [name, answer, result] of cases) {
    it(`is one transaction: ${name}`, async () => {
      const { kv, member } = storeOf({ [txnMethod.path]: () => answer });
      assert.deepEqual(await kv.txn({ key: '/a', expectedRevision: 5, operation: put() }), result);
      const value = Buffer.from('x');
      const request = { key: Buffer.from('/a'), expectedRevision: 5, withPrevious: true, value };
      assert.deepEqual(member.calls, [{ path: txnMethod.path, request, token: '' }]);
    });
  }

  const conditions = [
    { key: '/b', expectedRevision: 7 },
    { key: '/c', expectedRevision: 0 },
  ];
  const other = { key: '/b', value: Buffer.from(''), createRevision: 3, modRevision: 7 };
  const created = { ...other, key: '/c' };
  const unmetCases: readonly (readonly [name: string, others: readonly unknown[], unmet: object])[] = [
    ['a changed key', [{ ...other, modRevision: 8 }, undefined], { unmet: '/b' }],
    ['a deleted key', [undefined, undefined], { unmet: '/b' }],
    ['a key that must be absent', [other, created], { unmet: '/c' }],
  ];
  for (const [name, others, unmet] of unmetCases) {
    it(`names the condition that is not met: ${name}`, async () => {
      const answer = { succeeded: false, revision: 9, found: undefined, others };
      const { kv, member } = storeOf({ [txnMethod.path]: () => answer });
      const result = await kv.txn({ key: '/a', expectedRevision: 0, operation: put(), conditions });
      assert.deepEqual(result, { succeeded: false, revision: 9, ...unmet });
      const sent = conditions.map(({ key, expectedRevision }) => ({ key: Buffer.from(key), expectedRevision }));
      const request = { key: Buffer.from('/a'), expectedRevision: 0, value: Buffer.from('x'), conditions: sent };
      assert.deepEqual(member.calls, [{ path: txnMethod.path, request, token: '' }]);
    });
  }

  it('lost its own comparison before its conditions count', async () => {
    const { kv } = storeOf({ [txnMethod.path]: () => ({ succeeded: false, revision: 9, found, others: [] }) });
    const result = await kv.txn({ key: '/a', expectedRevision: 0, operation: put(), conditions });
    assert.deepEqual(result, { succeeded: false, revision: 9, current: found });
  });

  it('without a value is a delete', async () => {
    const { kv, member } = storeOf({ [txnMethod.path]: () => ({ succeeded: true, revision: 9, found }) });
    const operation = { type: 'delete' } as const;
    await kv.txn({ key: '/a', expectedRevision: 5, operation, withoutPrevious: true });
    assert.deepEqual(member.calls[0]?.request, { key: Buffer.from('/a'), expectedRevision: 5 });
  });

  it('that expires has a lease, and gets another one when etcd does not know it', async () => {
    const leases: unknown[] = [];
    let granted = 0n;
    const { kv } = storeOf({
      [leaseGrantMethod.path]: () => ({ id: ++granted }),
      [txnMethod.path]: ({ lease }: { lease: bigint }) => {
        leases.push(lease);
        if (lease === 1n) throw serviceError('etcdserver: requested lease not found', status.NOT_FOUND);
        return { succeeded: true, revision: 9, found: undefined };
      },
    });
    await kv.txn({ key: '/a', expectedRevision: 0, operation: put('x', { ttlSeconds: 3600 }) });
    assert.deepEqual(leases, [1n, 2n]);
  });

  it('gets one other lease', async () => {
    const { kv, paths } = storeOf({
      [leaseGrantMethod.path]: () => ({ id: 1n }),
      [txnMethod.path]: () => {
        throw serviceError('etcdserver: requested lease not found', status.NOT_FOUND);
      },
    });
    const write = kv.txn({ key: '/a', expectedRevision: 0, operation: put('x', { ttlSeconds: 3600 }) });
    await assert.rejects(write, { code: 'unavailable' });
    assert.equal(paths().filter((path) => path === txnMethod.path).length, 2);
  });

  it('of a key follows the one before, even if its client has left', async () => {
    const going: (() => void)[] = [];
    const { kv, member } = storeOf({
      [txnMethod.path]: () =>
        new Promise((resolve) => going.push(() => resolve({ succeeded: true, revision: 9, found: undefined }))),
    });
    const controller = new AbortController();
    const left = kv.txn({ key: '/a', expectedRevision: 0, operation: put('1') }, controller.signal);
    const next = kv.txn({ key: '/a', expectedRevision: 9, operation: put('2') });
    await settle();
    controller.abort(new Error('the client has left'));
    await assert.rejects(left, /the client has left/);
    assert.equal(member.calls.length, 1, 'the first one may still happen');
    going.shift()?.();
    await settle();
    assert.equal(member.calls.length, 2);
    going.shift()?.();
    await next;
  });
});

describe('a revision', () => {
  it('is that of a read of the probe key', async () => {
    const { kv, member } = storeOf({ [rangeMethod.path]: revisionOf(42) });
    assert.equal(await kv.currentRevision(), 42);
    await kv.checkHealth();
    assert.deepEqual(member.calls[1]?.request, { key: Buffer.from('/probe'), countOnly: true });
  });

  it('that is compacted already is compacted', async () => {
    const { kv, member } = storeOf({ [compactMethod.path]: compacted });
    await kv.compact(30);
    assert.equal(member.calls[0]?.request, 30);
  });

  it('that cannot be compacted fails', async () => {
    const { kv } = storeOf({
      [compactMethod.path]: () => {
        throw serviceError('etcdserver: mvcc: required revision is a future revision', status.OUT_OF_RANGE);
      },
    });
    await assert.rejects(kv.compact(30), { code: 'future' });
  });
});

describe('the status', () => {
  const size = () => ({ revision: 42, version: '3.5.21', sizeBytes: 1000 });

  it('knows that nothing is compacted while the first revision can be read', async () => {
    const { kv } = storeOf({ [rangeMethod.path]: revisionOf(42), [statusMethod.path]: size });
    assert.deepEqual(await kv.status(), { revision: 42, compactedRevision: 0, sizeBytes: 1000 });
  });

  it('asks a watch for the oldest revision', async () => {
    const { kv, member } = storeOf({
      [rangeMethod.path]: ({ revision = 42 }: { revision?: number }) =>
        revision < 30 ? compacted() : { revision: 42, items: [], count: 0 },
      [statusMethod.path]: size,
    });
    const asked = kv.status();
    await settle();
    await settle();
    member.stream.answer({ canceled: true, compactRevision: 30 });
    assert.equal((await asked).compactedRevision, 30);
  });
});

describe('a closed store', () => {
  it('waits for the requests in progress, then refuses all others', async () => {
    let answer = (_: object): void => undefined;
    const { kv, members } = storeOf({ [rangeMethod.path]: () => new Promise((resolve) => (answer = resolve)) });
    const read = kv.currentRevision();
    await settle();
    const closing = kv.close();
    await settle();
    assert.equal(members.isClosed, false);
    answer(revisionOf(42)());
    assert.equal(await read, 42);
    await closing;
    assert.equal(members.isClosed, true);
    await assert.rejects(kv.currentRevision(), { code: 'closed' });
    const ended: unknown[] = [];
    const sink = { batch: () => undefined, progress: () => undefined, ended: (error: Error) => ended.push(error) };
    kv.watch({ prefix: '/', fromRevision: 1 }, sink, new AbortController().signal);
    await settle();
    assert.equal(ended.length, 1);
  });
});

it('connecting reads once, and logs in first', async () => {
  const { kv, paths } = storeOf({ [rangeMethod.path]: revisionOf(42) });
  await kv.connect(1000);
  assert.deepEqual(paths(), [rangeMethod.path]);
});
