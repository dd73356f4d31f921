import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Service } from '@binnacle/client/kinds/core/v1';
import type { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { readyEndpoints, textOfEndpoints } from './ready-endpoints.js';

const service: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: {
    ports: [
      { name: 'http', port: 80, targetPort: 'http' },
      { name: 'metrics', port: 9090 },
    ],
  },
};
const slice = (addressType: 'IPv4' | 'IPv6', ...endpoints: EndpointSlice['endpoints'] & object): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: addressType },
  addressType,
  ports: [
    { name: 'http', port: 8080 },
    { name: 'metrics', port: 9090 },
  ],
  endpoints,
});
const slices = [
  slice(
    'IPv4',
    { addresses: ['10.0.0.2'], conditions: { ready: true } },
    { addresses: ['10.0.0.1'] },
    { addresses: ['10.0.0.3'], conditions: { ready: false, serving: true } },
  ),
  slice('IPv6', { addresses: ['fd00::1'], conditions: { ready: true } }),
];

describe('the ready endpoints of a service', () => {
  for (const [port, expected] of [
    ['http', ['10.0.0.1:8080', '10.0.0.2:8080', '[fd00::1]:8080']],
    ['9090', ['10.0.0.1:9090', '10.0.0.2:9090', '[fd00::1]:9090']],
  ] as const) {
    it(`of port ${port}`, () => assert.deepEqual(readyEndpoints(service, slices, port), expected));
  }

  it('as lines, or as JSON', () => {
    assert.equal(textOfEndpoints(['a:1', 'b:2'], undefined), 'a:1\nb:2\n');
    assert.equal(textOfEndpoints(['a:1', 'b:2'], 'json'), '["a:1","b:2"]\n');
  });

  it('of all ports', () => assert.equal(readyEndpoints(service, slices).length, 6));

  it('are refused for a port that it does not have, and for an external name', () => {
    assert.throws(() => readyEndpoints(service, slices, '8080'), /^Error: service web has no port 8080$/);
    const external: Service = { ...service, spec: { type: 'ExternalName', externalName: 'example.com' } };
    assert.throws(() => readyEndpoints(external, []), /^Error: service web has no endpoints: it is example\.com$/);
  });
});
