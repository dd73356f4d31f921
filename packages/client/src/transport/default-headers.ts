import type { Impersonation } from '../kubeconfig/index.js';
import type { Send } from './exchange.js';

/** Adds the headers that all requests of a transport carry. A request's own headers take precedence. */
export function withDefaultHeaders(next: Send, userAgent: string, impersonate: Impersonation | undefined): Send {
  const defaults = { 'user-agent': userAgent, ...(impersonate === undefined ? {} : impersonationHeaders(impersonate)) };
  return (request, options) => next({ ...request, headers: { ...defaults, ...request.headers } }, options);
}

/** Upstream: client-go `transport.NewImpersonatingRoundTripper`. */
export function impersonationHeaders(impersonate: Impersonation): Record<string, string | readonly string[]> {
  const headers: Record<string, string | readonly string[]> = { 'impersonate-user': impersonate.user };
  if (impersonate.uid !== undefined) headers['impersonate-uid'] = impersonate.uid;
  if (impersonate.groups !== undefined && impersonate.groups.length > 0)
    headers['impersonate-group'] = impersonate.groups;
  for (const [key, values] of Object.entries(impersonate.extra ?? {})) {
    headers[`impersonate-extra-${escapeHeaderKey(key)}`] = values;
  }
  return headers;
}

/** Percent-encodes `%` and all characters that header names do not allow. */
function escapeHeaderKey(key: string): string {
  let escaped = '';
  for (const byte of Buffer.from(key.toLowerCase())) {
    const character = String.fromCharCode(byte);
    escaped += /[a-z0-9!#$&'*+.^_`|~-]/.test(character)
      ? character
      : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`;
  }
  return escaped;
}
