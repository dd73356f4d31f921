import type { Pod } from '@binnacle/api/types/core-v1';
import { badRequest, serviceUnavailable } from '@binnacle/apimachinery/status';
import type { ResourceEndpoint } from '../endpoints/index.js';
import type { RequestContext } from '../http/index.js';

/**
 * `pods/x/log`, `exec`, `attach`, `portforward`, `proxy`: what a kubelet serves. Nodes that run nothing have none of it,
 * and the answer says so.
 */
export async function podStream(context: RequestContext, endpoint: ResourceEndpoint): Promise<void> {
  const { namespace, name, subresource } = context.info;
  const pod = (await endpoint.store.reader.get(namespace, name, '')).decode() as unknown as Pod;
  const node = pod.spec?.nodeName ?? '';
  if (node === '') throw badRequest(`pod ${name} does not have a host assigned`);
  throw serviceUnavailable(`pods/${subresource} of ${name}: no kubelet serves node ${node}`);
}
