import type { CredentialSource, Credentials } from './client-config.js';

/** Credentials, and when to fetch them again, in milliseconds since the epoch. */
export interface Fetched {
  readonly credentials: Credentials;
  readonly freshUntil: number;
}

/** Caches credentials while they are fresh. Concurrent callers share one fetch. */
export class CachedCredentials implements CredentialSource {
  readonly #now: () => number;
  readonly #fetch: (previous: Credentials | undefined) => Promise<Fetched>;
  #latest: Fetched | undefined;
  #fetching: Promise<Credentials> | undefined;
  #stale = true;

  constructor(now: () => number, fetch: (previous: Credentials | undefined) => Promise<Fetched>) {
    this.#now = now;
    this.#fetch = fetch;
  }

  async current(signal?: AbortSignal): Promise<Credentials> {
    signal?.throwIfAborted();
    const latest = this.#latest;
    if (latest !== undefined && !this.#stale && this.#now() < latest.freshUntil) return latest.credentials;
    this.#fetching ??= this.#renew();
    return this.#fetching;
  }

  rejected(credentials: Credentials): void {
    if (credentials === this.#latest?.credentials) this.#stale = true;
  }

  /** All callers share the fetch, so no single signal may end it. */
  async #renew(): Promise<Credentials> {
    try {
      const previous = this.#latest?.credentials;
      const fetched = await this.#fetch(previous);
      const unchanged = previous !== undefined && sameCredentials(previous, fetched.credentials);
      this.#latest = unchanged ? { ...fetched, credentials: previous } : fetched;
      this.#stale = false;
      return this.#latest.credentials;
    } finally {
      this.#fetching = undefined;
    }
  }
}

function sameCredentials(a: Credentials, b: Credentials): boolean {
  return a.token === b.token && a.clientCertificate === b.clientCertificate && a.clientKey === b.clientKey;
}
