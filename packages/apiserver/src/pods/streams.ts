import { asKind } from '@binnacle/apimachinery/meta';
import type { Pod } from '@binnacle/api/types/core-v1';
import { badRequest, forbidden, serviceUnavailable, StatusError } from '@binnacle/apimachinery/status';
import type { ResourceEndpoint } from '../endpoints/index.js';
import type { RequestContext } from '../request/index.js';
import { checkLogOptions } from './log-options.js';

/** The subresources that address one container. */
const ofContainers: ReadonlySet<string> = new Set(['attach', 'exec', 'log']);
/** The subresources that act in the pod. */
const acting: ReadonlySet<string> = new Set(['attach', 'exec', 'portforward']);

/**
 * `pods/x/log`, `exec`, `attach`, `portforward`: a kubelet serves these. Nodes here run no kubelet, and the
 * response says so. The log of a pod without a node is empty.
 * Upstream: `LogLocation`, `streamLocation`.
 */
export async function podStream(context: RequestContext, endpoint: ResourceEndpoint): Promise<void> {
  const { namespace, name, subresource } = context.info;
  if (acting.has(subresource) && context.info.verb !== 'create') await checkMayCreate(context);
  if (subresource === 'log') checkLogOptions(context.query, name);
  const pod = asKind<Pod>((await endpoint.store.reader.get(namespace, name)).decode());
  if (ofContainers.has(subresource)) checkContainer(pod, context.query.get('container') ?? '');
  const node = pod.spec?.nodeName ?? '';
  if (node === '' && subresource === 'log') return context.exchange.respond(204, {}, '');
  if (node === '') throw badRequest(`pod ${name} does not have a host assigned`);
  throw serviceUnavailable(`pods/${subresource} of ${name}: no kubelet serves node ${node}`);
}

/** A WebSocket is opened by GET, and still needs the right to create. Upstream: `ensureAuthorizedForVerb`. */
async function checkMayCreate(context: RequestContext): Promise<void> {
  const { group, resource, name } = context.info;
  try {
    await context.authorizeAs('create');
  } catch (error) {
    throw error instanceof StatusError && error.code === 403 ? forbidden({ group, resource }, name, '') : error;
  }
}

/** Throws unless the named container exists. Without a name the pod must have only one container. */
function checkContainer({ metadata, spec }: Pod, container: string): void {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  const names = [initContainers, containers, ephemeralContainers].flat().map(({ name }) => name);
  const pod = metadata?.name ?? '';
  if (container !== '') {
    if (!names.includes(container)) throw badRequest(`container ${container} is not valid for pod ${pod}`);
    return;
  }
  if (containers.length === 1) return;
  const choice = containers.length === 0 ? '' : `, choose one of: [${names.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${pod}${choice}`);
}
