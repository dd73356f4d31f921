import type { Duplex } from 'node:stream';
import type { Service } from '@binnacle/client/kinds/core/v1';
import type { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import type { Endpoint } from './service-endpoints.js';

/** The service `n/s`. */
export const service = (
  spec: Partial<NonNullable<Service['spec']>> = {},
  metadata: Service['metadata'] = {},
): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's', namespace: 'n', ...metadata },
  spec: { clusterIP: '10.0.0.7', ports: [{ name: 'http', port: 8080, nodePort: 0 }], ...spec },
});

/** A slice of that service. */
export const slice = (
  endpoints: NonNullable<EndpointSlice['endpoints']>,
  metadata: EndpointSlice['metadata'] = {},
): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { namespace: 'n', labels: { 'kubernetes.io/service-name': 's' }, ...metadata },
  addressType: 'IPv4',
  endpoints,
  ports: [{ name: 'http', port: 9000 }],
});

export const endpoint = (host: string, state: 'ready' | 'ending' | 'unready' = 'ready'): Endpoint => {
  return { host, port: 9000, isReady: state === 'ready', isEnding: state === 'ending' };
};

/** Says a name, and then what it has heard to the end. Reading by iteration would destroy the stream before the answer. */
export function answerAs(name: string, stream: Duplex): void {
  let heard = '';
  stream.on('data', (bytes: Buffer) => (heard += bytes.toString()));
  stream.on('end', () => stream.end(`${name} ${heard}`));
  stream.on('error', () => undefined);
}
