import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { extendedRequests, mayHaveDevices } from './extended-requests.js';

const GPU = 'example.com/gpu';
const NIC = 'example.com/nic';
const container = (
  name: string,
  requests: Readonly<Record<string, string>>,
  rest: Partial<Container> = {},
): Container => {
  return { name, image: 'img', resources: { requests }, ...rest };
};
const sidecar = { restartPolicy: 'Always' } as const;

/** `REQUEST CLASS COUNT`, and `CONTAINER RESOURCE REQUEST`. */
function made(containers: readonly Container[], initContainers: readonly Container[] = []) {
  const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { initContainers, containers } };
  const classes = new Map([
    [NIC, 'nic'],
    [GPU, 'gpu'],
  ]);
  const { requests, mappings } = finish(extendedRequests(pod, classes));
  return {
    requests: requests.map(({ name, exactly }) => `${name} ${exactly?.deviceClassName} ${exactly?.count}`),
    mappings: mappings().map((each) => `${each.containerName} ${each.resourceName} ${each.requestName}`),
  };
}

describe('the requests for the extended resources of a pod', () => {
  it('are one for each container and resource', () => {
    const found = made([
      container('a', { cpu: '1', [GPU]: '2', [NIC]: '1' }),
      container('b', { [GPU]: '1', [NIC]: '0' }),
    ]);
    assert.deepEqual(found, {
      requests: ['container-0-request-1 gpu 2', 'container-0-request-2 nic 1', 'container-1-request-0 gpu 1'],
      mappings: [`a ${GPU} container-0-request-1`, `b ${GPU} container-1-request-0`, `a ${NIC} container-0-request-2`],
    });
  });

  it('are shared by init containers and the containers after them', () => {
    const init = [container('i', { [GPU]: '1' }), container('j', { [GPU]: '4' }), container('k', { [GPU]: '3' })];
    assert.deepEqual(made([container('a', { [GPU]: '2' })], init), {
      requests: ['container-1-request-0 gpu 2', 'container-3-request-0 gpu 2'],
      mappings: [
        `a ${GPU} container-3-request-0`,
        `i ${GPU} container-3-request-0`,
        `j ${GPU} container-3-request-0`,
        `j ${GPU} container-1-request-0`,
        `k ${GPU} container-3-request-0`,
        `k ${GPU} container-1-request-0`,
      ],
    });
  });

  it('are not shared with a sidecar that has started before', () => {
    const init = [container('s', { [GPU]: '1' }, sidecar), container('i', { [GPU]: '1' })];
    assert.deepEqual(made([container('a', {})], init).requests, [
      'container-0-request-0 gpu 1',
      'container-1-request-0 gpu 1',
    ]);
  });

  it('are computed in steps, one for each container and each sharing', () => {
    const init = Array.from({ length: 100 }, (_, index) => container(`i${index}`, { [GPU]: '200' }));
    const containers = Array.from({ length: 100 }, (_, index) => container(`c${index}`, { [GPU]: '1' }));
    const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: { initContainers: init, containers } };
    const steps = extendedRequests(pod, new Map([[GPU, 'gpu']]));
    let count = 0;
    while (steps.next().done !== true) count++;
    assert.equal(count, 301);
  });
});

it('extended resources, and those named after a DeviceClass, may map to one', () => {
  const names = [GPU, 'deviceclass.resource.kubernetes.io/gpu', 'cpu', 'hugepages-2Mi', 'kubernetes.io/x'];
  assert.deepEqual(names.map(mayHaveDevices), [true, true, false, false, false]);
});
