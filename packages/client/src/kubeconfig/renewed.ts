import type { CredentialSource, Credentials } from './client-config.js';

/** Credentials, and until when they need no second look, in milliseconds since the epoch. */
export interface Fetched {
  readonly credentials: Credentials;
  readonly freshUntil: number;
}

/** Keeps credentials for as long as they are fresh, and fetches them once for all who ask meanwhile. */
export class RenewedCredentials implements CredentialSource {
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

  /** Shared by all who wait, so that no one's signal ends it. */
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

export function sameCredentials(a: Credentials, b: Credentials): boolean {
  return a.token === b.token && a.clientCertificate === b.clientCertificate && a.clientKey === b.clientKey;
}
