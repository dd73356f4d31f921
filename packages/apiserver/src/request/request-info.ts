/**
 * The subject of a request, parsed once from method, path and query; handlers never read the URL. Upstream: apiserver
 * `pkg/endpoints/request/requestinfo.go`.
 */
export interface RequestInfo {
  /**
   * A path under /api or /apis with a version. All other paths (discovery, health, OpenAPI) are non-resource
   * requests.
   */
  readonly isResourceRequest: boolean;
  readonly path: string;
  /**
   * get, list, watch, create, update, patch, delete, deletecollection, proxy; for a non-resource request the lower-cased
   * HTTP method.
   */
  readonly verb: string;
  /** `api` or `apis`; empty for non-resource requests. */
  readonly apiPrefix: string;
  readonly group: string;
  readonly version: string;
  /** Empty when the request is for all namespaces or for a cluster-scoped resource. */
  readonly namespace: string;
  /**
   * Whether the path leads through a namespace: that of `namespaces/x/pods` does, that of `namespaces/x` does not. Rights in a
   * namespace are rights to what is in it.
   */
  readonly isWithinNamespace: boolean;
  /** Plural: `pods`. */
  readonly resource: string;
  /** `status`, `scale`, ...; empty for the resource itself. */
  readonly subresource: string;
  readonly name: string;
  /** The segments after the subresource, for proxies. */
  readonly parts: readonly string[];
  /** The request asks for the history of what the other fields name; see {@link HISTORY_PATH}. */
  readonly isHistory: boolean;
}

/** Under it are the paths of all resources again, each with the history of its objects. Upstream has no such path. */
export const HISTORY_PATH = '/binnacle/v1/history';

/** The path after the subresource, with its trailing slash. */
export function pathBehind({ parts, path }: RequestInfo): string {
  const rest = parts.slice(3).join('/');
  const absolute = rest === '' ? '' : `/${rest}`;
  return path.endsWith('/') && !absolute.endsWith('/') ? `${absolute}/` : absolute;
}

/** The same request with another path after its subresource. */
export function withPathBehind(info: RequestInfo, path: string): RequestInfo {
  const behind = path === '' || path.startsWith('/') ? path : `/${path}`;
  const head = info.path.slice(0, info.path.length - pathBehind(info).length);
  return { ...info, path: head + behind, parts: [...info.parts.slice(0, 3), ...behind.split('/').slice(1)] };
}
