import type { KindLookup } from '../../endpoints/index.js';
import { bindingHandler, evictionHandler } from '../../pods/index.js';
import type { Stores } from '../../registry/index.js';
import { createCodec } from '../../codec/index.js';
import type { SubresourceHandlers } from './subresources.js';

/** The subresources of pods that write, and are not views of the pod. */
export function podHandlers(kindExists: KindLookup, stores: Stores): SubresourceHandlers {
  return new Map([
    ['pods/binding', bindingHandler(createCodec({ group: '', version: 'v1', kind: 'Binding' }), kindExists)],
    [
      'pods/eviction',
      evictionHandler(createCodec({ group: 'policy', version: 'v1', kind: 'Eviction' }), kindExists, stores),
    ],
  ]);
}
