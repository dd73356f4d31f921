import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import type { EndpointPort, EndpointSubset } from '@binnacle/client/kinds/core/v1';
import type { EndpointPort as SlicePort } from '@binnacle/client/kinds/discovery/v1';
import { fnv128a } from './fnv128.js';
import { slicePortText, subsetText } from './go-text.js';
import { orderSlicePorts, orderSubsetPorts, orderSubsets, portsKey } from './order.js';

/** Lists in the order in which upstream's functions put them, with the types of k8s.io/api v0.36. */
interface UpstreamOrder {
  readonly slicePorts: readonly (readonly SlicePort[])[];
  readonly subsetPorts: readonly (readonly EndpointPort[])[];
  readonly subsets: readonly (readonly EndpointSubset[])[];
}

const testdata = new URL('../../src/serviceendpoints/testdata/upstream-order.json', import.meta.url);
const upstream = JSON.parse(readFileSync(testdata, 'utf8')) as UpstreamOrder;

describe('the order of ports and subsets', () => {
  it('is that of upstream for ports of slices', () => {
    for (const ports of upstream.slicePorts) assert.deepEqual(finish(orderSlicePorts(ports.toReversed())), ports);
  });

  it('is that of upstream for ports of subsets', () => {
    for (const ports of upstream.subsetPorts) assert.deepEqual(finish(orderSubsetPorts(ports.toReversed())), ports);
  });

  it('is that of upstream for subsets', () => {
    for (const subsets of upstream.subsets) assert.deepEqual(finish(orderSubsets(subsets.toReversed())), subsets);
  });

  it('hashes the text of the Go value', () => {
    assert.equal(fnv128a(''), '6c62272e07bb014262b821756295c58d');
    assert.equal(
      fnv128a(slicePortText({ name: 'http', protocol: 'TCP', port: 80 })),
      'b6c4d325122a5ba6f795b0bbffcebb6f',
    );
    const targetRef = { kind: 'Pod', namespace: 'ns', name: 'a', uid: 'u1' };
    const subset: EndpointSubset = {
      addresses: [{ ip: '10.0.0.1', hostname: 'h', nodeName: 'n', targetRef }, { ip: '10.0.0.2' }],
      ports: [{ name: 'x', port: 80, protocol: 'TCP', appProtocol: 'http' }],
    };
    assert.equal(fnv128a(subsetText(subset)), '54e4040e2e5db491f4f82444ba22b57d');
  });
});

describe('portsKey', () => {
  it('distinguishes a missing name from an empty one, and no ports from one', () => {
    assert.notEqual(portsKey([{ port: 80 }]), portsKey([{ port: 80, name: '' }]));
    assert.notEqual(portsKey([]), portsKey([{}]));
    assert.equal(portsKey(undefined), portsKey([]));
  });
});
