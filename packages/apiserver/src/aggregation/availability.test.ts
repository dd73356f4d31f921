import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unreachable } from './availability.js';

const backend = { namespace: 'ours', name: 'back', port: 443, caBundle: '', insecure: false };
const service = (spec: object) => ({ spec: { type: 'ClusterIP', ports: [{ name: 'https', port: 443 }], ...spec } });
const slice = (ready: boolean | undefined, name: string | undefined = 'https') => ({
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready } }],
  ports: [{ name, port: 8443 }],
});

describe('unreachable', () => {
  const cases: readonly (readonly [
    name: string,
    ...given: Parameters<typeof unreachable>,
    reason: string | undefined,
  ])[] = [
    ['no service', backend, undefined, [], 'ServiceNotFound: service/back in "ours" is not present'],
    [
      'another port',
      backend,
      service({ ports: [{ port: 80 }] }),
      [],
      'ServicePortError: service/back in "ours" is not listening on port 443',
    ],
    ['no slice', backend, service({}), [], 'EndpointsNotFound: cannot find endpointslices for service/back in "ours"'],
    [
      'no ready endpoint',
      backend,
      service({}),
      [slice(false)],
      'MissingEndpoints: endpointslices for service/back in "ours" have no addresses with port name "https"',
    ],
    [
      'another port of the slice',
      backend,
      service({}),
      [slice(true, 'metrics')],
      'MissingEndpoints: endpointslices for service/back in "ours" have no addresses with port name "https"',
    ],
    ['a ready endpoint', backend, service({}), [slice(false), slice(true)], undefined],
    ['an endpoint that does not say', backend, service({}), [slice(undefined)], undefined],
    ['a name elsewhere', backend, { spec: { type: 'ExternalName', externalName: 'x' } }, [], undefined],
  ];
  for (const [name, reference, found, slices, expected] of cases) {
    it(name, () => {
      const reason = unreachable(reference, found, slices);
      assert.equal(reason && `${reason.reason}: ${reason.message}`, expected);
    });
  }
});
