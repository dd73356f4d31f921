import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Endpoints } from '@binnacle/api/types/core-v1';
import type { EndpointSlice } from '@binnacle/api/types/discovery-v1';
import { asKind } from '@binnacle/apimachinery/meta';
import { correctEndpoints, correctSlice, kubernetesEndpoints, sliceTypeOf } from './kubernetes-endpoints.js';

const [wanted, wantedSlice] = kubernetesEndpoints('192.0.2.1', 6443).map((object) => ({
  ...asKind<Endpoints & EndpointSlice>(object),
}));
const labels = { 'endpointslice.kubernetes.io/skip-mirror': 'true' };
const addresses = [{ ip: '192.0.2.1' }];
const ports = [{ name: 'https', port: 6443, protocol: 'TCP' }];

it('endpoints have the address of the server and no other', () => {
  const cases: [name: string, altered: Endpoints, subsets: Endpoints['subsets']][] = [
    ['right', { subsets: [{ addresses, ports }] }, [{ addresses, ports }]],
    ['none', {}, [{ addresses, ports }]],
    ['two subsets', { subsets: [{ addresses }, { addresses }] }, [{ addresses, ports }]],
    ['a foreign address', { subsets: [{ addresses: [{ ip: '192.0.2.9' }], ports }] }, [{ addresses, ports }]],
    ['one more', { subsets: [{ addresses: [...addresses, { ip: '192.0.2.9' }], ports }] }, [{ addresses, ports }]],
    ['another port', { subsets: [{ addresses, ports: [{ port: 1 }] }] }, [{ addresses, ports: [{ port: 1 }] }]],
  ];
  for (const [name, altered, subsets] of cases) {
    correctEndpoints(altered, ['192.0.2.1'], 6443);
    assert.deepEqual(altered.subsets, subsets, name);
    assert.deepEqual(altered.metadata?.labels, labels, name);
  }
  const labelled: Endpoints = { metadata: { labels: { a: 'b' } } };
  correctEndpoints(labelled, ['192.0.2.1'], 6443);
  assert.deepEqual(labelled.metadata?.labels, { a: 'b', ...labels });
});

it('endpoints have the addresses of all servers, in any order', () => {
  const both = ['192.0.2.1', '192.0.2.2'];
  const reversed = [{ ip: '192.0.2.2' }, { ip: '192.0.2.1' }];
  const right: Endpoints = { subsets: [{ addresses: reversed, ports }] };
  correctEndpoints(right, both, 6443);
  assert.deepEqual(right.subsets?.[0]?.addresses, reversed);
  const one: Endpoints = { subsets: [{ addresses, ports }] };
  correctEndpoints(one, both, 6443);
  assert.deepEqual(one.subsets?.[0]?.addresses, [{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }]);
});

it('a slice has what the endpoints say', () => {
  assert.ok(wanted !== undefined && wantedSlice !== undefined);
  const slice: EndpointSlice = {
    metadata: { labels: { a: 'b' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['192.0.2.9'] }],
  };
  correctSlice(slice, wanted);
  assert.deepEqual(slice.endpoints, wantedSlice.endpoints);
  assert.deepEqual(slice.ports, wantedSlice.ports);
  assert.deepEqual(slice.metadata?.labels, { 'kubernetes.io/service-name': 'kubernetes' });

  const notReady = { subsets: [{ addresses: [{ ip: '2001:db8::1' }], notReadyAddresses: addresses }] };
  correctSlice(slice, notReady);
  assert.deepEqual(slice.endpoints, [{ addresses: ['192.0.2.1'], conditions: { ready: false } }]);
});

it('the address type of a slice is IPv6 only if all addresses are', () => {
  const six = { ip: '2001:db8::1' };
  assert.equal(sliceTypeOf({}), 'IPv4');
  assert.equal(sliceTypeOf({ subsets: [{ addresses: [six] }] }), 'IPv6');
  assert.equal(sliceTypeOf({ subsets: [{ addresses: [six], notReadyAddresses: addresses }] }), 'IPv4');
});
