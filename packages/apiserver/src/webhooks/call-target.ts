import type { WebhookClientConfig } from '@binnacle/api/types/admissionregistration-v1';
import { posix } from 'node:path';

const DEFAULT_PORT = 443;

/** Where a request goes. */
export interface Target {
  /** The URL in error messages. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Undefined: the host. */
  readonly serverName: string | undefined;
  /** The `Host` header. */
  readonly authority: string;
  /** The `Authorization` header. Absent: none. */
  readonly authorization?: string | undefined;
  /** Further headers. Absent: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The target of a configuration, before its service is resolved. */
export function targetOf({ service, url }: WebhookClientConfig, query: string): Target {
  if (service === undefined) return urlTarget(new URL(url ?? ''), query);
  const { name, namespace, port = DEFAULT_PORT, path = '' } = service;
  const serverName = `${name}.${namespace}.svc`;
  const authority = `${serverName}:${String(port)}`;
  const fullPath = `${cleanPath(path)}${query}`;
  return { url: `https://${authority}${fullPath}`, host: serverName, port, path: fullPath, serverName, authority };
}

/** `host:port` of a configuration: the name under which a kubeconfig has credentials for it. */
export function hostPortOf({ service, url }: WebhookClientConfig): string {
  if (service !== undefined) return `${service.name}.${service.namespace}.svc:${service.port ?? DEFAULT_PORT}`;
  if (!URL.canParse(url ?? '')) return '';
  const { hostname, port } = new URL(url ?? '');
  return `${hostname}:${port || DEFAULT_PORT}`;
}

function urlTarget({ host, hostname, port, pathname }: URL, query: string): Target {
  const path = `${cleanPath(pathname)}${query}`;
  return {
    url: `https://${host}${path}`,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || DEFAULT_PORT),
    path,
    serverName: undefined,
    authority: host,
  };
}

/** Removes empty and dot segments. envtest's URLs have two slashes before the path. Upstream: `path.Join` in client-go. */
function cleanPath(path: string): string {
  return posix.join('/', path).replace(/(?<=.)\/$/, '');
}

/**
 * The target of a redirect. Upstream follows redirects to any host. This server follows them only to the same host, because
 * the administrator has named no other.
 */
export function redirectedTarget(target: Target, location: string): Target {
  const from = new URL(target.url);
  const to = new URL(location, from);
  if (to.origin !== from.origin) throw new Error(`the redirect to ${to.origin} is not followed: it is another host`);
  const path = `${to.pathname}${to.search}`;
  return { ...target, url: `${from.origin}${path}`, path };
}
