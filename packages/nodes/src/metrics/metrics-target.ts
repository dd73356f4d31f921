import type { DelegatedAttributes, DelegatedUser } from '@binnacle/client/delegation';

export const GROUP = 'metrics.k8s.io';
export const VERSION = 'v1beta1';
const ROOT = `/apis/${GROUP}/${VERSION}`;

/** What a path names. An empty namespace means all, an empty name a list. */
export type MetricsTarget =
  | { readonly kind: 'groups' | 'group' | 'resources' }
  | { readonly kind: 'nodes' | 'pods'; readonly namespace: string; readonly name: string };

/** Undefined: the API has no such path. */
export function metricsTarget(path: string): MetricsTarget | undefined {
  if (path === '/apis') return { kind: 'groups' };
  if (path === `/apis/${GROUP}`) return { kind: 'group' };
  if (path === ROOT) return { kind: 'resources' };
  if (!path.startsWith(`${ROOT}/`)) return undefined;
  const parts = path.slice(ROOT.length + 1).split('/');
  const [first = '', second = '', third = '', fourth = ''] = parts;
  if (first === 'namespaces' && third === 'pods' && parts.length <= 4) {
    return { kind: 'pods', namespace: second, name: fourth };
  }
  if (first === 'nodes' && parts.length <= 2) return { kind: 'nodes', namespace: '', name: second };
  return path === `${ROOT}/pods` ? { kind: 'pods', namespace: '', name: '' } : undefined;
}

/** The right that a target takes. */
export function rightFor(target: MetricsTarget, path: string, user: DelegatedUser): DelegatedAttributes {
  const isResourceRequest = target.kind === 'nodes' || target.kind === 'pods';
  const { namespace, name } = isResourceRequest ? target : { namespace: '', name: '' };
  return {
    user,
    verb: isResourceRequest && name === '' ? 'list' : 'get',
    isResourceRequest,
    namespace,
    group: GROUP,
    version: VERSION,
    resource: target.kind,
    subresource: '',
    name,
    path,
  };
}
