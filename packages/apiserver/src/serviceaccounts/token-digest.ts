import { createHash } from 'node:crypto';

/** The key of a token in a cache, so that no tokens stay in memory. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
