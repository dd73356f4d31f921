import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { DelegatedUser, FrontProxies } from '@binnacle/client/delegation';
import { isValidAt } from '../kubelet/index.js';

/**
 * Reads the user from the headers of a front proxy. Undefined if the client is not a front proxy, or sends no user name. The connection must
 * verify certificates only by the authorities of front proxies. `now`: milliseconds since the epoch. Upstream: apiserver
 * `pkg/authentication/request/headerrequest`.
 */
export function proxiedUser(
  { socket, headersDistinct }: IncomingMessage,
  trust: FrontProxies,
  now: number,
): DelegatedUser | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const { subject: names, valid_from: validFrom, valid_to: validTo } = socket.getPeerCertificate();
  if (!isValidAt({ validFrom, validTo }, now)) return undefined;
  // The types leave out that the certificate may be absent, and have no name.
  const subject: { readonly CN?: string } = { ...names };
  const { allowedNames } = trust;
  if (subject.CN === undefined || (allowedNames.length > 0 && !allowedNames.includes(subject.CN))) return undefined;
  const values = (header: string): readonly string[] => (headersDistinct[header.toLowerCase()] ?? []).map(decoded);
  const first = (headers: readonly string[]): string => headers.flatMap(values).find((value) => value !== '') ?? '';
  const name = first(trust.usernameHeaders);
  if (name === '') return undefined;
  const extra = new Map<string, readonly string[]>();
  for (const prefix of trust.extraHeaderPrefixes) {
    for (const header of Object.keys(headersDistinct)) {
      if (header.startsWith(prefix.toLowerCase())) extra.set(keyOf(header.slice(prefix.length)), values(header));
    }
  }
  const groups = new Set(trust.groupHeaders.flatMap(values));
  // Like upstream's servers, which add it to all users but this one.
  if (name !== 'system:anonymous') groups.add('system:authenticated');
  return { name, uid: first(trust.uidHeaders), groups: [...groups], extra: Object.fromEntries(extra) };
}

/** Node decodes one character per byte, but clients send UTF-8. */
const decoded = (value: string): string => Buffer.from(value, 'latin1').toString('utf8');

function keyOf(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
