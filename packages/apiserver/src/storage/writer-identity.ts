import type { Author } from '@binnacle/kv';
import { MAX_AUTHOR_BYTES, MAX_MARK_BYTES } from '@binnacle/kv';

/** Who makes a write, and how. Empty texts are unknown. */
export interface WriterIdentity {
  readonly user: string;
  readonly manager: string;
  readonly userAgent: string;
  readonly verb: string;
  readonly subresource: string;
  readonly auditID: string;
}

/** How much of a user's name is kept when no other part is. */
const SHORTENED_USER = 256;

/** The form in which the store keeps an identity. Parts that are too long are left out. */
export function authorOf({ user, manager, userAgent, verb, subresource, auditID }: WriterIdentity): Author {
  const mark = Buffer.byteLength(auditID) > MAX_MARK_BYTES ? '' : auditID;
  for (const parts of [
    [user, manager, userAgent, verb, subresource],
    [user, manager, '', verb, subresource],
    [user, '', '', verb, subresource],
  ]) {
    const name = JSON.stringify(parts);
    if (name.length * 3 <= MAX_AUTHOR_BYTES || Buffer.byteLength(name) <= MAX_AUTHOR_BYTES) return { name, mark };
  }
  return { name: JSON.stringify([user.slice(0, SHORTENED_USER / 2), '', '', verb.slice(0, 16), '']), mark };
}

/** The identity in an author; undefined if another program wrote it. */
export function identityOf({ name, mark }: Author): WriterIdentity | undefined {
  const parts = partsOf(name);
  if (parts === undefined) return undefined;
  const [user = '', manager = '', userAgent = '', verb = '', subresource = ''] = parts;
  return { user, manager, userAgent, verb, subresource, auditID: mark };
}

function partsOf(name: string): readonly string[] | undefined {
  try {
    const parts: unknown = JSON.parse(name);
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string') ? parts : undefined;
  } catch {
    return undefined;
  }
}
