import type { DelegatedAttributes } from '@binnacle/client/delegation';

/** What a request asks of a kubelet. */
export type Route =
  | { readonly kind: 'healthz' | 'pods' | 'stats' | 'resourceMetrics' }
  | { readonly kind: 'portForward'; readonly namespace: string; readonly pod: string; readonly uid: string }
  | {
      readonly kind: 'logs' | 'exec' | 'attach';
      readonly namespace: string;
      readonly pod: string;
      readonly uid: string;
      readonly container: string;
    };

const PAGES: Readonly<Record<string, Route>> = {
  '/healthz': { kind: 'healthz' },
  '/pods': { kind: 'pods' },
  '/pods/': { kind: 'pods' },
  '/stats/summary': { kind: 'stats' },
  '/metrics/resource': { kind: 'resourceMetrics' },
};

/** The route of a path. Undefined for pages that these kubelets do not serve. */
export function routeOf(path: string): Route | undefined {
  if (Object.hasOwn(PAGES, path)) return PAGES[path];
  const [, verb, ...encoded] = path.split('/');
  const parts = encoded.map(decoded);
  const [namespace = '', pod = ''] = parts;
  const [uid, container] = parts.length > 3 ? [parts[2] ?? '', parts[3] ?? ''] : ['', parts[2] ?? ''];
  if (pod === '' || namespace === '' || parts.length > 4) return undefined;
  if (verb === 'portForward') return parts.length > 3 ? undefined : { kind: verb, namespace, pod, uid: container };
  if (container === '') return undefined;
  if (verb === 'containerLogs') return parts.length > 3 ? undefined : { kind: 'logs', namespace, pod, uid, container };
  return verb === 'exec' || verb === 'attach' ? { kind: verb, namespace, pod, uid, container } : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Subresources of the node; the right to one of them is enough. Upstream: `GetRequestAttributes`. */
function subresourcesFor(path: string): readonly string[] {
  const isBelow = (root: string): boolean => path === root || path.startsWith(`${root}/`);
  if (isBelow('/stats')) return ['stats'];
  if (isBelow('/metrics')) return ['metrics'];
  if (isBelow('/logs')) return ['log'];
  if (isBelow('/pods')) return ['pods', 'proxy'];
  return isBelow('/healthz') ? ['healthz', 'proxy'] : ['proxy'];
}

/** The rights of which a user needs one, in upstream's order. An empty node name means all nodes. */
export function rightsFor(
  { method, path, node }: { readonly method: string; readonly path: string; readonly node: string },
  user: DelegatedAttributes['user'],
): readonly DelegatedAttributes[] {
  return subresourcesFor(path).map((subresource) => ({
    user,
    verb: VERBS[method] ?? '',
    isResourceRequest: true,
    namespace: '',
    group: '',
    version: 'v1',
    resource: 'nodes',
    subresource,
    name: node,
    path,
  }));
}
