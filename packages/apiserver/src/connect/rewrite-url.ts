import { posix } from 'node:path';

export interface RewriteRules {
  /** The path of this server that leads to the backend's root, without a slash at its end. */
  readonly prefix: string;
  /** `host:port` of the backend, and what the client named as host. */
  readonly hosts: readonly string[];
}

const PARTS = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/s;

/**
 * Leads a link of a backend through this server, when it is absolute and has no other host. Upstream: `Transport.rewriteURL`
 * of apimachinery, without scheme and host, which kube-apiserver does not know.
 */
export function rewriteUrl(text: string, { prefix, hosts }: RewriteRules): string {
  const [, scheme = '', authority, path = '', rest = ''] = PARTS.exec(text) ?? [];
  const host = authority?.replace(/^.*@/, '') ?? '';
  const isElsewhere = (host !== '' && !hosts.includes(host)) || (scheme !== '' && authority === undefined);
  if (isElsewhere || !path.startsWith('/')) return text;
  if (path.startsWith(prefix)) return `${path}${rest}`;
  const joined = posix.join(prefix, path);
  return `${joined}${rest}`;
}
