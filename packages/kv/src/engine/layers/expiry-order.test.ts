import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { Expiry } from '../backend.js';
import { compareExpiries, ExpiryOrder } from './expiry-order.js';

const expiry = (revision: number, expiresAt: number): Expiry => ({ key: `k${revision}`, revision, expiresAt });
const revisions = (expiries: readonly Expiry[]): number[] => expiries.map(({ revision }) => revision);

describe('ExpiryOrder', () => {
  it('returns the earliest first, and at one time the oldest revision', () => {
    const order = new ExpiryOrder();
    for (const each of [expiry(1, 30), expiry(2, 10), expiry(3, 20), expiry(4, 10)]) order.set(each);
    assert.deepEqual(revisions(order.until(20, 9)), [2, 4, 3]);
    assert.deepEqual(revisions(order.until(20, 1)), [2]);
    assert.deepEqual(revisions(order.until(9, 9)), []);
  });

  it('takes one that is earlier than those that have gone', () => {
    const order = new ExpiryOrder();
    for (const revision of [1, 2, 3]) order.set(expiry(revision, revision));
    order.delete(1);
    assert.deepEqual(revisions(order.until(9, 9)), [2, 3]);
    order.set(expiry(4, 0));
    assert.deepEqual(revisions(order.until(9, 9)), [4, 2, 3]);
  });

  it('equals a sorted list after any changes', () => {
    const change = fc.record({ revision: fc.nat(20), expiresAt: fc.nat(5), isDelete: fc.boolean(), time: fc.nat(6) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const order = new ExpiryOrder();
        const present = new Map<number, Expiry>();
        for (const { revision, expiresAt, isDelete, time } of changes) {
          // A revision puts its key once.
          if (isDelete) {
            order.delete(revision);
            present.delete(revision);
          } else if (!present.has(revision)) {
            order.set(expiry(revision, expiresAt));
            present.set(revision, expiry(revision, expiresAt));
          }
          const due = [...present.values()].filter((each) => each.expiresAt <= time).sort(compareExpiries);
          assert.deepEqual(order.until(time, 3), due.slice(0, 3));
        }
      }),
    );
  });
});
