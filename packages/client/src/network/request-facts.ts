import type { TransportRequest } from '../transport/index.js';

/** A request in the terms of authorization: `update` of `deployments/status`. */
export interface RequestFacts {
  readonly verb: string;
  /** With the subresource; empty for a path that names no resource. */
  readonly resource: string;
  readonly group: string;
  readonly namespace: string;
  readonly name: string;
  readonly isWrite: boolean;
}

const PATH =
  /^\/(?:api\/v1|apis\/(?<group>[^/]+)\/[^/]+)\/(?:namespaces\/(?<namespace>[^/]+)\/(?!status$|finalize$))?(?<resource>[^/]+)(?:\/(?<name>[^/]+))?(?:\/(?<subresource>[^/]+))?$/;

export function requestFacts({ method, path }: TransportRequest): RequestFacts {
  const url = new URL(path, 'http://server');
  const { group = '', namespace = '', resource = '', name = '', subresource } = PATH.exec(url.pathname)?.groups ?? {};
  const verb = verbOf(method, name, url.searchParams);
  return {
    verb,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    group,
    namespace,
    name,
    isWrite: method !== 'GET' && method !== 'HEAD',
  };
}

function verbOf(method: string, name: string, query: URLSearchParams): string {
  switch (method) {
    case 'GET':
      if (query.get('watch') === 'true') return 'watch';
      return name === '' ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === '' ? 'deletecollection' : 'delete';
    default:
      return method.toLowerCase();
  }
}
