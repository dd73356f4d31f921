import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { IPAddress, ServiceCIDR } from '@binnacle/client/kinds/networking/v1';
import { FINALIZER, planRange, type RangePlan } from './plan.js';

const range = (name: string, cidrs: readonly string[], traits: Partial<ServiceCIDR> = {}): ServiceCIDR => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'ServiceCIDR',
  spec: { cidrs },
  ...traits,
  metadata: { name, finalizers: [FINALIZER], ...traits.metadata },
});

const address = (name: string, manager = 'ipallocator.k8s.io'): IPAddress => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  metadata: { name, labels: { 'ipaddress.kubernetes.io/managed-by': manager } },
  spec: { parentRef: { resource: 'services', name: 's' } },
});

const condition = (status: 'True' | 'False', reason: string, message: string) => ({
  type: 'Ready' as const,
  status,
  reason,
  message,
});
const ready = condition('True', '', 'Kubernetes Service CIDR is ready');
const inUse = condition(
  'False',
  'Terminating',
  'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
);
const withCondition = (given: ServiceCIDR, set: typeof ready): ServiceCIDR => ({
  ...given,
  status: { conditions: [{ ...set, lastTransitionTime: '2026-01-01T00:00:00Z' }] },
});

describe('a range', () => {
  const plain = range('a', ['10.1.0.0/24']);
  const bare = range('a', ['10.1.0.0/24'], { metadata: { finalizers: [] } });
  for (const [what, given, expected] of [
    ['gets the finalizer and the condition', bare, { finalizer: 'add', condition: ready }],
    ['gets the condition', plain, { condition: ready }],
    ['stays as it is', withCondition(plain, ready), {}],
    ['becomes ready again', withCondition(plain, inUse), { condition: ready }],
  ] as const) {
    it(what, () => {
      const unread = () => assert.fail('reads addresses');
      assert.deepEqual(
        planRange({ range: given, ranges: [given], addresses: unread, deletedAt: undefined, now: 0 }),
        expected,
      );
    });
  }
});

describe('a range that is being deleted', () => {
  const MINUTE = 60_000;
  const inside = [address('10.1.0.5')];
  const free: RangePlan = { finalizer: 'remove' };
  const blocked: RangePlan = { condition: inUse };
  for (const [what, cidrs, others, addresses, expected] of [
    ['without addresses goes', ['10.1.0.0/24'], [], [], free],
    ['with the address of a service stays', ['10.1.0.0/24'], [], inside, blocked],
    ['with an address of another manager goes', ['10.1.0.0/24'], [], [address('10.1.0.5', 'me')], free],
    ['with addresses outside goes', ['10.1.0.0/24'], [], [address('10.2.0.5')], free],
    [
      'with its network and broadcast addresses goes',
      ['10.1.0.0/30'],
      [],
      [address('10.1.0.0'), address('10.1.0.3')],
      free,
    ],
    ['within another goes', ['10.1.0.0/24'], [range('b', ['10.0.0.0/8'])], inside, free],
    ['equal to another goes', ['10.1.0.0/24'], [range('b', ['10.1.0.0/24'])], inside, free],
    ['whose addresses are all in others goes', ['10.1.0.0/24'], [range('b', ['10.1.0.0/28'])], inside, free],
    ['with an address that no other has stays', ['10.1.0.0/24'], [range('b', ['10.1.0.64/28'])], inside, blocked],
    [
      'of two families, of which one is within another, stays',
      ['10.1.0.0/24', 'fd00::/64'],
      [range('b', ['fd00::/48'])],
      inside,
      blocked,
    ],
    ['of IPv6 with the address of a service stays', ['fd00::/64'], [], [address('fd00::5')], blocked],
    ['of IPv6 with its last address stays', ['fd00::/120'], [], [address('fd00::ff')], blocked],
  ] as const) {
    it(what, () => {
      const given = range('a', cidrs);
      const view = { range: given, ranges: [given, ...others], addresses: () => addresses, deletedAt: 0, now: MINUTE };
      assert.deepEqual(planRange(view), expected);
    });
  }

  it('keeps its finalizer for ten seconds, so that no server still allocates from it', () => {
    const given = range('a', ['10.1.0.0/24']);
    const view = { range: given, ranges: [given], addresses: () => [], deletedAt: MINUTE };
    assert.deepEqual(planRange({ ...view, now: MINUTE + 1 }), { requeueAfter: 9999 });
    assert.deepEqual(planRange({ ...view, now: MINUTE + 10_000 }), free);
  });

  it('needs nothing once it has the condition, or no finalizer', () => {
    const used = withCondition(range('a', ['10.1.0.0/24']), inUse);
    const view = { ranges: [used], deletedAt: 0, now: MINUTE };
    assert.deepEqual(planRange({ ...view, range: used, addresses: () => inside }), {});
    const bare = range('a', ['10.1.0.0/24'], { metadata: { finalizers: ['other'] } });
    assert.deepEqual(planRange({ ...view, range: bare, addresses: () => [] }), {});
  });
});
