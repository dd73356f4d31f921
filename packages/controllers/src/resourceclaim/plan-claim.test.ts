import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import { FINALIZER, planClaim } from './plan-claim.js';

const consumer = (name: string) => ({ resource: 'pods', name, uid: `uid-${name}` });

const claim = (
  consumers: readonly string[],
  { isAllocated = false, isProtected = false, isGoing = false },
): ResourceClaim => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: {
    name: 'c',
    ...(isProtected ? { finalizers: [FINALIZER] } : {}),
    ...(isGoing ? { deletionTimestamp: '2027-01-01T00:00:00Z' } : {}),
  },
  spec: {},
  status: {
    ...(isAllocated ? { allocation: {} } : {}),
    ...(consumers.length === 0 ? {} : { reservedFor: consumers.map(consumer) }),
  },
});

describe('planClaim', () => {
  const used = { isAllocated: true, isProtected: true };
  const going = { ...used, isGoing: true };
  for (const [what, given, remaining, expected] of [
    ['unused', claim([], {}), [], 'free'],
    ['used', claim(['p'], used), ['p'], ''],
    ['used by one less', claim(['p', 'q'], used), ['q'], 'allocated, for q'],
    ['no longer used by any pod', claim(['p'], used), [], 'not allocated; no finalizer; free'],
    ['used by none, but allocated', claim([], used), [], 'free'],
    ['deleted and allocated', claim([], going), [], 'not allocated; no finalizer; free'],
    ['deleted and used', claim(['p'], going), ['p'], ''],
    ['deleted and not allocated', claim([], { isProtected: true, isGoing: true }), [], 'no finalizer; free'],
    ['allocated by others', claim(['p'], { isAllocated: true }), [], 'allocated; free'],
  ] as const) {
    it(`${what}: ${expected || 'nothing'}`, () => {
      const { status, removesFinalizer, isFree } = planClaim(given, remaining.map(consumer));
      const { allocation, reservedFor = [] } = status?.status ?? {};
      const names = reservedFor.map(({ name }) => name).join();
      const written = `${allocation === undefined ? 'not allocated' : 'allocated'}${names === '' ? '' : `, for ${names}`}`;
      const parts = [status === undefined ? '' : written, removesFinalizer ? 'no finalizer' : '', isFree ? 'free' : ''];
      assert.equal(parts.filter((part) => part !== '').join('; '), expected);
    });
  }
});
