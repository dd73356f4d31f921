import type { RequestContext, RequestInfo } from '../request/index.js';

export type Scope = 'resource' | 'namespace' | 'cluster' | '';

const APPLY = 'application/apply-patch+yaml';

const connectSubresources: ReadonlySet<string> = new Set(['log', 'exec', 'portforward', 'attach', 'proxy']);
const methods: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE']);

/**
 * The scope of a request: one object (or one being created), a namespace, or the cluster. The path decides, and not a
 * selector that narrows a list to one name.
 * Upstream: apiserver `pkg/endpoints/installer.go`.
 */
export function scopeOf(info: RequestInfo): Scope {
  if (!info.isResourceRequest) return '';
  if (info.verb === 'create' || (info.parts[1] ?? '') !== '') return 'resource';
  return info.namespace === '' ? 'cluster' : 'namespace';
}

/**
 * The `verb` label: the HTTP method, with LIST, WATCH, APPLY and CONNECT kept separate.
 * Upstream: `cleanVerb` of apiserver `pkg/endpoints/metrics`.
 */
export function countedVerb({ exchange, info }: RequestContext, scope: Scope): string {
  if (info.isResourceRequest && connectSubresources.has(info.subresource)) return 'CONNECT';
  const { method } = exchange;
  if (method === 'GET' || method === 'HEAD') {
    if (info.verb === 'watch') return 'WATCH';
    return scope === 'namespace' || scope === 'cluster' ? 'LIST' : 'GET';
  }
  if (method === 'PATCH') return exchange.headers['content-type'] === APPLY ? 'APPLY' : 'PATCH';
  return methods.has(method) ? method : 'other';
}

const fieldValidations: ReadonlySet<string> = new Set(['', 'Ignore', 'Warn', 'Strict']);

/** Empty, a value that upstream knows, or `invalid`. */
export function countedFieldValidation(query: URLSearchParams): string {
  if (query.size === 0) return '';
  const values = query.getAll('fieldValidation');
  if (values.length === 0) return '';
  const [value = ''] = values;
  return values.length === 1 && fieldValidations.has(value) ? value : 'invalid';
}

/** Empty, `All`, or `invalid` for any other value. */
export function countedDryRun(query: URLSearchParams): string {
  if (query.size === 0) return '';
  const values = query.getAll('dryRun');
  if (values.length === 0) return '';
  return values.every((value) => value === 'All') ? 'All' : 'invalid';
}
