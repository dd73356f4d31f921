import type { ApplyTransport } from '../apply/index.js';
import { createRequest, exchange, getRequest, patchRequest } from '../rest/index.js';
import type { SendOptions, Transport } from '../transport/index.js';

/** Sends the requests of client-side apply over a transport. */
export function applyTransport(transport: Transport, options: SendOptions = {}): ApplyTransport {
  return {
    get: async (target) => exchange(transport, getRequest(target), options),
    create: async ({ resource, namespace }, body, query) =>
      exchange(transport, createRequest({ resource, namespace }, body, query), options),
    patch: async (target, contentType, body, query) => {
      const type = contentType === 'application/merge-patch+json' ? 'merge' : 'strategic';
      return exchange(transport, patchRequest(target, { type, body }, query), options);
    },
  };
}
