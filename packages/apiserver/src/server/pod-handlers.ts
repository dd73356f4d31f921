import type { FindEndpoint, KindLookup, ResourceEndpoint } from '../endpoints/index.js';
import { bindingHandler, evictionHandler, podStream } from '../pods/index.js';
import { createCodec } from './storage-unit.js';
import type { SubresourceHandlers } from './subresources.js';

/** The pod subresources that are not views of the pod. */
export function podHandlers(kindExists: KindLookup, find: FindEndpoint): SubresourceHandlers {
  const budgets = (): ResourceEndpoint | undefined => find('policy', 'poddisruptionbudgets');
  return new Map([
    ['pods/binding', bindingHandler(createCodec({ group: '', version: 'v1', kind: 'Binding' }), kindExists)],
    [
      'pods/eviction',
      evictionHandler(createCodec({ group: 'policy', version: 'v1', kind: 'Eviction' }), kindExists, budgets),
    ],
    ...['attach', 'exec', 'log', 'portforward', 'proxy'].map((name) => [`pods/${name}`, podStream] as const),
  ]);
}
