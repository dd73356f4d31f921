import { posix } from 'node:path';
import { encodeHeader, type UserInfo } from '../authentication/index.js';
import { type PassOptions, passedHeaders, type ProxiedRequest, type SentHeaders } from '../proxying/index.js';

const EXTRA_PREFIX = 'x-remote-extra-';

export interface ForwardOptions extends PassOptions {
  readonly user: UserInfo;
  readonly auditId: string;
  /** `host:port` of the backend. */
  readonly authority: string;
  /** Percent-encoded. */
  readonly path: string;
}

/** The headers of the request that goes to the backend. Upstream: kube-aggregator `handler_proxy.go` and Go's proxy. */
export function forwardedHeaders(request: ProxiedRequest, options: ForwardOptions): SentHeaders {
  const { user, auditId, authority, path } = options;
  return {
    ...passedHeaders(request, options),
    host: authority,
    'audit-id': encodeHeader(auditId),
    'x-forwarded-host': authority,
    'x-forwarded-proto': 'https',
    'x-forwarded-uri': posix.join('/', path),
    ...userHeadersOf(user),
  };
}

/** The headers that name a user to an extension API server. Upstream: client-go `SetAuthProxyHeaders`. */
export function userHeadersOf({ name, uid, groups, extra }: UserInfo): SentHeaders {
  const sent: SentHeaders = { 'x-remote-user': encodeHeader(name) };
  if (uid !== '') sent['x-remote-uid'] = encodeHeader(uid);
  if (groups.length > 0) sent['x-remote-group'] = groups.map(encodeHeader);
  for (const [key, values] of Object.entries(extra)) {
    const header = `${EXTRA_PREFIX}${escapeKey(key).toLowerCase()}`;
    sent[header] = [sent[header] ?? [], values.map(encodeHeader)].flat();
  }
  return sent;
}

/** Escapes `%` and the bytes that the name of a header must not contain. */
function escapeKey(key: string): string {
  return Array.from(Buffer.from(key), (byte) => {
    const character = String.fromCharCode(byte);
    return /[!#$&'*+\-.^_`|~0-9A-Za-z]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
