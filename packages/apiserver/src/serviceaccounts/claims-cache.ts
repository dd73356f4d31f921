import { createHash } from 'node:crypto';

/**
 * An LRU cache of claims with a verified signature. Clients send the same token with each request, and verification is
 * the expensive part. Keys are digests, so that no tokens stay in memory.
 */
export class ClaimsCache<Claims> {
  readonly #limit: number;
  readonly #claims = new Map<string, Claims>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(digest: string): Claims | undefined {
    const claims = this.#claims.get(digest);
    if (claims === undefined) return undefined;
    this.#claims.delete(digest);
    this.#claims.set(digest, claims);
    return claims;
  }

  add(digest: string, claims: Claims): void {
    this.#claims.set(digest, claims);
    const [oldest] = this.#claims.keys();
    if (this.#claims.size > this.#limit && oldest !== undefined) this.#claims.delete(oldest);
  }
}

export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
