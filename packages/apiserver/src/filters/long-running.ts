import type { RequestInfo } from '../request/index.js';

const verbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const subresources: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/**
 * Requests that last as long as the client likes, such as watches and profiles.
 * Upstream: the `LongRunningFunc` of kube-apiserver.
 */
export function isLongRunning(info: RequestInfo): boolean {
  if (!info.isResourceRequest) return verbs.has(info.verb) || info.path.startsWith('/debug/pprof/');
  return verbs.has(info.verb) || subresources.has(info.subresource);
}
