import { posix } from 'node:path';

export interface RewriteRules {
  /** The path of this server that leads to the backend's root, without a slash at its end. */
  readonly prefix: string;
  /** `host:port` of the backend, and what the client named as host. */
  readonly hosts: readonly string[];
  /** The scheme and host of rewritten links. Default: none. */
  readonly origin?: string;
}

const PARTS = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/s;

/**
 * Leads a link of a backend through this server, when it is absolute and has no other host. Upstream: apimachinery
 * `Transport.rewriteURL`.
 */
export function rewriteUrl(text: string, { prefix, hosts, origin = '' }: RewriteRules): string {
  const [, scheme = '', authority, path = '', rest = ''] = PARTS.exec(text) ?? [];
  const host = authority?.replace(/^.*@/, '') ?? '';
  const isElsewhere = (host !== '' && !hosts.includes(host)) || (scheme !== '' && authority === undefined);
  if (isElsewhere || !path.startsWith('/')) return text;
  const joined = path.startsWith(prefix) ? path : posix.join(prefix, path);
  return `${origin}${joined}${rest}`;
}
