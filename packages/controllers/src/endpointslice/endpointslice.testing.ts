import type { Node, Pod, Service } from '@binnacle/client/kinds/core/v1';
import type { Endpoint, EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { MANAGED_BY, SERVICE_NAME } from '../serviceendpoints/index.js';
import { MANAGER } from './slice.js';

export const service = (spec: Service['spec'] = {}, metadata: Service['metadata'] = {}): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'ns', uid: 'service', creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
  spec: {
    selector: { app: 'web' },
    clusterIP: '10.0.0.1',
    ipFamilies: ['IPv4'],
    ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }],
    ...spec,
  },
});

/** A ready pod on the node `node`. */
export const pod = (name: string, ip: string, traits: Partial<Pod> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, labels: { app: 'web' }, ...traits.metadata },
  spec: { containers: [], nodeName: 'node', ...traits.spec },
  status: {
    phase: 'Running',
    podIP: ip,
    podIPs: [{ ip }],
    conditions: [{ type: 'Ready', status: 'True' }],
    ...traits.status,
  },
});

export const node = (name: string, zone?: string, cpu = '1'): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, ...(zone === undefined ? {} : { labels: { 'topology.kubernetes.io/zone': zone } }) },
  status: { allocatable: { cpu }, conditions: [{ type: 'Ready', status: 'True' }] },
});

/** A ready endpoint without a target. */
export const endpoint = (address: string, zone?: string): Endpoint => ({
  addresses: [address],
  conditions: { ready: true },
  ...(zone === undefined ? {} : { zone }),
});

export const slice = (
  name: string,
  endpoints: readonly Endpoint[],
  traits: Partial<EndpointSlice> = {},
): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  addressType: 'IPv4',
  endpoints,
  ports: [{ name: '', protocol: 'TCP', port: 8080 }],
  ...traits,
  metadata: {
    name,
    namespace: 'ns',
    resourceVersion: '1',
    labels: { [SERVICE_NAME]: 'web', [MANAGED_BY]: MANAGER },
    ownerReferences: [
      { apiVersion: 'v1', kind: 'Service', name: 'web', uid: 'service', controller: true, blockOwnerDeletion: true },
    ],
    ...traits.metadata,
  },
});
