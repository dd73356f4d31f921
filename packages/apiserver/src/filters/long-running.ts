import { tooManyRequests } from '@binnacle/apimachinery/status';
import type { Filter, RequestContext, RequestInfo } from '../request/index.js';

const verbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const connections: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'portforward']);
const subresources: ReadonlySet<string> = new Set([...connections, 'log']);
/** Far above the needs of real clients, because upstream has no such limit. */
const LONG_RUNNING_PER_USER = 20_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * Requests that last as long as the client likes, such as watches and profiles.
 * Upstream: the `LongRunningFunc` of kube-apiserver.
 */
export function isLongRunning(info: RequestInfo): boolean {
  if (!info.isResourceRequest) return verbs.has(info.verb) || info.path.startsWith('/debug/pprof/');
  return verbs.has(info.verb) || subresources.has(info.subresource);
}

/** Requests that connect their client with a pod or another server, for as long as both like. */
export function isConnection(info: RequestInfo): boolean {
  return info.isResourceRequest && connections.has(info.subresource);
}

/** Limits the concurrent long-running requests per user. The filter belongs behind authentication. */
export function longRunningLimit(maximum: number = LONG_RUNNING_PER_USER): Filter {
  const counts = new Map<string, number>();
  const counted = new WeakMap<RequestContext, string>();
  return {
    name: 'long-running-limit',
    enter: (context) => {
      if (!isLongRunning(context.info)) return;
      const { name } = context.user;
      const count = counts.get(name) ?? 0;
      if (count >= maximum) {
        throw tooManyRequests('Too many requests, please try again later.', RETRY_AFTER_SECONDS);
      }
      counts.set(name, count + 1);
      counted.set(context, name);
    },
    leave: (context) => {
      const name = counted.get(context);
      if (name === undefined) return;
      const count = (counts.get(name) ?? 0) - 1;
      if (count > 0) counts.set(name, count);
      else counts.delete(name);
    },
  };
}
