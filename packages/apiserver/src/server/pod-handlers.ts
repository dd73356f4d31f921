import type { KindLookup } from '../endpoints/index.js';
import { bindingHandler, evictionHandler, nodeProxy, podProxy, podStream, serviceProxy } from '../pods/index.js';
import type { Stores } from '../registry/index.js';
import { createCodec } from './storage-unit.js';
import type { SubresourceHandlers } from './subresources.js';

/** The subresources that a kubelet or a pod serves, and those of pods that are not views of the pod. */
export function podHandlers(kindExists: KindLookup, stores: Stores): SubresourceHandlers {
  return new Map([
    ['pods/binding', bindingHandler(createCodec({ group: '', version: 'v1', kind: 'Binding' }), kindExists)],
    [
      'pods/eviction',
      evictionHandler(createCodec({ group: 'policy', version: 'v1', kind: 'Eviction' }), kindExists, stores),
    ],
    ...['attach', 'exec', 'log', 'portforward'].map((name) => [`pods/${name}`, podStream] as const),
    ['pods/proxy', podProxy],
    ['services/proxy', serviceProxy(stores)],
    ['nodes/proxy', nodeProxy],
  ]);
}
