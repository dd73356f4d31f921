import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { TxnRequest } from '../interface/index.js';
import { Caller } from './connection/caller.js';
import { FakeMember, FakeMembers, serviceError } from './fake-member.testing.js';
import { LeaseManager } from './lease-manager.js';
import type { TxnAnswer, TxnCall } from './messages/kv-messages.js';
import { transact, type Transactions } from './transact.js';

const value = Buffer.from('new');
const put: TxnRequest = { key: '/a', expectedRevision: 5, operation: { type: 'put', value } };
const expiring: TxnRequest = { ...put, operation: { type: 'put', value, ttlSeconds: 100 } };

function found(key: string, modRevision: number) {
  return { key, value: Buffer.from('old'), createRevision: 1, modRevision };
}

describe('transact', () => {
  let calls: TxnCall[] = [];
  let answers: (Partial<TxnAnswer> | Error)[] = [];
  let transactions: Transactions;
  beforeEach(() => {
    [calls, answers] = [[], []];
    const clock = new VirtualClock();
    const member = new FakeMember(({ request }) => {
      calls.push(request as TxnCall);
      const answer = answers.shift() ?? {};
      if (answer instanceof Error) throw answer;
      return { succeeded: true, revision: 6, found: undefined, others: [], ...answer };
    });
    let granted = 0n;
    transactions = {
      caller: new Caller(new FakeMembers(member), undefined, 1000, clock),
      leases: new LeaseManager({ grant: async () => (granted += 1n), clock, reuseSeconds: 60, maxObjects: 10 }),
      timeoutMilliseconds: 1000,
    };
  });

  it('asks for the previous value of a key that exists, unless the caller needs none', async () => {
    answers = [{ found: found('/a', 5) }];
    const previous = found('/a', 5);
    assert.deepEqual(await transact(put, transactions), { succeeded: true, revision: 6, previous });
    await transact({ ...put, withoutPrevious: true }, transactions);
    await transact({ ...put, expectedRevision: 0 }, transactions);
    assert.deepEqual(
      calls.map(({ withPrevious }) => withPrevious),
      [true, undefined, undefined],
    );
  });

  it('gives a value with a TTL a lease, and other writes none', async () => {
    await transact(expiring, transactions);
    await transact(put, transactions);
    await transact({ ...put, operation: { type: 'delete' } }, transactions);
    assert.deepEqual(
      calls.map(({ lease, value: written }) => [lease, written]),
      [
        [1n, value],
        [undefined, value],
        [undefined, undefined],
      ],
    );
  });

  it('sends a write once more with a new lease if etcd does not know the first one', async () => {
    answers = [serviceError('etcdserver: requested lease not found')];
    assert.deepEqual(await transact(expiring, transactions), { succeeded: true, revision: 6 });
    assert.deepEqual(
      calls.map(({ lease }) => lease),
      [1n, 2n],
    );
  });

  it('gives up if etcd does not know the second lease either', async () => {
    answers = [1, 2].map(() => serviceError('etcdserver: requested lease not found'));
    await assert.rejects(transact(expiring, transactions), /requested lease not found/);
    assert.equal(calls.length, 2);
  });

  it('tells a stale key from a condition that does not hold', async () => {
    const conditions = [
      { key: '/b', expectedRevision: 3 },
      { key: '/c', expectedRevision: 0 },
    ];
    const others = [found('/b', 3), found('/c', 4)];
    answers = [
      { succeeded: false, found: found('/a', 7), others },
      { succeeded: false, found: found('/a', 5), others },
      { succeeded: false, others },
    ];
    const fails = { succeeded: false, revision: 6 };
    const request = { ...put, conditions };
    assert.deepEqual(await transact(request, transactions), { ...fails, current: found('/a', 7) });
    assert.deepEqual(await transact(request, transactions), { ...fails, current: found('/a', 5), unmet: '/c' });
    assert.deepEqual(await transact(request, transactions), fails, 'the key is gone');
  });
});
