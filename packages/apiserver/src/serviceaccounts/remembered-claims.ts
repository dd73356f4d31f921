import { createHash } from 'node:crypto';

/**
 * Claims whose signature has been found good: a client comes with the same token each time, and checking the signature is
 * most of the work. By digest, so that no token lies about in memory. Keeps those used last.
 */
export class RememberedClaims<Claims> {
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
