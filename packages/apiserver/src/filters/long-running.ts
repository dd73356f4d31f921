import type { RequestInfo } from '../request/index.js';

const verbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const subresources: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/**
 * Requests that last as long as the client likes, such as watches.
 * Upstream: the `LongRunningFunc` of kube-apiserver.
 */
export function isLongRunning(info: RequestInfo): boolean {
  return verbs.has(info.verb) || (info.isResourceRequest && subresources.has(info.subresource));
}
