import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node, Service } from '@binnacle/client/kinds/core/v1';
import { parseAddressRanges } from './address-range.js';
import { assignAddresses, FINALIZER, fingerprint, isBackend, operationFor } from './load-balancer.js';

const service = (
  spec: Service['spec'],
  metadata: Service['metadata'] = {},
  addresses: readonly string[] = [],
): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'ns', uid: 'u', ...metadata },
  spec: { type: 'LoadBalancer', ipFamilies: ['IPv4'], ...spec },
  status: { loadBalancer: { ingress: addresses.map((ip) => ({ ip })) } },
});

const finalizers = [FINALIZER];
const deletionTimestamp = '2026-01-01T00:00:00Z';

describe('parseAddressRanges', () => {
  for (const [text, taken, expected] of [
    ['10.1.0.0/30', [], '10.1.0.1'],
    ['10.1.0.0/30', ['10.1.0.1'], '10.1.0.2'],
    ['10.1.0.0/30', ['10.1.0.1', '10.1.0.2'], undefined],
    ['10.1.0.7/32', [], '10.1.0.7'],
    ['fd00::/126', ['fd00::1', 'fd00::2'], 'fd00::3'],
    ['fd00::/8', [], 'fd00::1'],
  ] as const) {
    it(`gives ${expected ?? 'nothing'} of ${text} without ${taken.join(' and ') || 'any'}`, () => {
      const [range] = parseAddressRanges(text);
      assert.equal(
        range?.lowest((address) => !taken.some((each) => each === address)),
        expected,
      );
      if (expected !== undefined) assert.ok(range?.contains(expected));
    });
  }

  it('reads several ranges, and none', () => {
    assert.deepEqual(
      parseAddressRanges('10.1.0.0/24, fd00::/64').map(({ family }) => family),
      ['IPv4', 'IPv6'],
    );
    assert.deepEqual(parseAddressRanges(''), []);
    assert.throws(() => parseAddressRanges('10.1.0.0'), new RangeError('"10.1.0.0" is not a CIDR'));
  });
});

describe('operationFor', () => {
  for (const [what, given, expected] of [
    ['a service that wants a load balancer', service({}), 'ensure'],
    ['a service of a class', service({ loadBalancerClass: 'example.com/lb' }), 'none'],
    ['a service of another type', service({ type: 'ClusterIP' }), 'none'],
    ['a service that no longer wants one', service({ type: 'ClusterIP' }, { finalizers }), 'delete'],
    ['a service that is being deleted', service({}, { finalizers, deletionTimestamp }), 'delete'],
    ['a service that is being deleted without the finalizer', service({}, { deletionTimestamp }), 'none'],
  ] as const) {
    it(`is ${expected} for ${what}`, () => assert.equal(operationFor(given), expected));
  }
});

describe('assignAddresses', () => {
  const both = 'IPv4 IPv6'.split(' ');
  for (const [what, ranges, given, taken, expected] of [
    ['the lowest free address', '10.1.0.0/24', service({}), ['10.1.0.1'], ['10.1.0.2']],
    ['the present address', '10.1.0.0/24', service({}, {}, ['10.1.0.9']), [], ['10.1.0.9']],
    ['another one if the present is taken', '10.1.0.0/24', service({}, {}, ['10.1.0.9']), ['10.1.0.9'], ['10.1.0.1']],
    ['another one if the range has changed', '10.2.0.0/24', service({}, {}, ['10.1.0.9']), [], ['10.2.0.1']],
    [
      'the address that is asked for',
      '10.1.0.0/24',
      service({ loadBalancerIP: '10.1.0.5' }, {}, ['10.1.0.9']),
      [],
      ['10.1.0.5'],
    ],
    ['one of each family', '10.1.0.0/24,fd00::/64', service({ ipFamilies: both }), [], ['10.1.0.1', 'fd00::1']],
    ['one of the families with a range', '10.1.0.0/24', service({ ipFamilies: both }), [], ['10.1.0.1']],
    ['one of the second range of a family', '10.1.0.1/32,10.2.0.0/24', service({}), ['10.1.0.1'], ['10.2.0.1']],
  ] as const) {
    it(`gives ${what}`, () => {
      const isFree = (address: string) => !taken.some((each) => each === address);
      assert.deepEqual(assignAddresses(given, parseAddressRanges(ranges), isFree), expected);
    });
  }

  for (const [ranges, given, message] of [
    ['10.1.0.1/32', service({}), 'all addresses of 10.1.0.1/32 are taken'],
    ['fd00::/64', service({}), 'there is no range of addresses for IPv4'],
    ['10.1.0.0/24', service({ loadBalancerIP: '10.2.0.5' }), '10.2.0.5 is not in 10.1.0.0/24'],
    ['10.1.0.0/24', service({ loadBalancerIP: '10.1.0.5' }), '10.1.0.5 is the address of another service'],
  ] as const) {
    it(`says that ${message}`, () =>
      assert.throws(() => assignAddresses(given, parseAddressRanges(ranges), () => false), new Error(message)));
  }
});

describe('fingerprint', () => {
  const base = service({ ports: [{ port: 80 }] });
  for (const [what, other, differs] of [
    ['labels', service(base.spec, { labels: { a: 'b' } }), false],
    ['status', service(base.spec, {}, ['10.1.0.1']), false],
    ['selector', service({ ...base.spec, selector: { a: 'b' } }), false],
    ['ports', service({ ports: [{ port: 81 }] }), true],
    ['annotations', service(base.spec, { annotations: { a: 'b' } }), true],
    ['uid', service(base.spec, { uid: 'v' }), true],
    ['traffic policy', service({ ...base.spec, externalTrafficPolicy: 'Local' }), true],
    ['families', service({ ...base.spec, ipFamilies: ['IPv4', 'IPv6'] }), true],
  ] as const) {
    it(`${differs ? 'differs' : 'is equal'} for another ${what}`, () =>
      assert.equal(fingerprint(other) !== fingerprint(base), differs));
  }
});

describe('isBackend', () => {
  const node = (metadata: Node['metadata'], spec: Node['spec'] = {}): Node => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata,
    spec,
  });
  const label = (value: string) => ({ labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': value } });
  for (const [what, given, expected] of [
    ['a node', node({}), true],
    ['an excluded node', node(label('')), false],
    ['a node that is not excluded', node(label('false')), true],
    ['a node that is being deleted', node({ deletionTimestamp }), false],
    [
      'a node that the autoscaler removes',
      node({}, { taints: [{ key: 'ToBeDeletedByClusterAutoscaler', effect: 'NoSchedule' }] }),
      false,
    ],
  ] as const) {
    it(`is ${expected} for ${what}`, () => assert.equal(isBackend(given), expected));
  }
});
