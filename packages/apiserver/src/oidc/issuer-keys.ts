import type { Clock } from '@binnacle/apimachinery/clock';
import { getOwn } from '@binnacle/apimachinery/json';
import { quoteGo } from '@binnacle/apimachinery/status';
import { hasValidSignature, type ParsedToken } from '../serviceaccounts/index.js';
import type { IssuerRequests } from './issuer-requests.js';
import { type IssuerKey, readKeySet } from './key-set.js';
import { TokenError } from './token-error.js';

/** The time until a failed discovery is retried. Upstream: the same, in the background. */
const DISCOVERY_PAUSE_MS = 10_000;
/** The shortest time between two fetches of keys, so that bad tokens cause few requests. */
const FETCH_PAUSE_MS = 5000;
/** Older keys are fetched again in the background, so that an issuer can withdraw one. */
const STALE_MS = 5 * 60_000;

interface Fetched {
  readonly keys: readonly IssuerKey[];
  /** Monotonic time, in milliseconds. */
  readonly at: number;
}

/** The keys of one issuer, fetched when a token needs them. */
export class IssuerKeys {
  readonly #issuer: string;
  readonly #discoveryUrl: string;
  readonly #requests: Pick<IssuerRequests, 'getObject'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #keysUrl: string | undefined;
  #failure: { readonly error: unknown; readonly at: number } | undefined;
  #fetched: Fetched | undefined;
  #fetching: Promise<Fetched> | undefined;

  /** `discoveryUrl`: undefined for the one below the issuer. */
  constructor(
    issuer: string,
    discoveryUrl: string | undefined,
    requests: Pick<IssuerRequests, 'getObject'>,
    clock: Pick<Clock, 'monotonic'>,
  ) {
    this.#issuer = issuer;
    this.#discoveryUrl = discoveryUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    this.#requests = requests;
    this.#clock = clock;
  }

  /** Throws a {@link TokenError} unless a key of the issuer signed the token. */
  async verify(token: ParsedToken): Promise<void> {
    const known = this.#fetched;
    if (known !== undefined && isSigned(token, known)) {
      // A known key verified the token, so the result of the fetch does not matter.
      if (this.#age(known.at) > STALE_MS) this.#fetch().catch(() => undefined);
      return;
    }
    if (known !== undefined && this.#age(known.at) < FETCH_PAUSE_MS) throw notSigned();
    if (!isSigned(token, await this.#fetch())) throw notSigned();
  }

  #age(time: number): number {
    return this.#clock.monotonic() - time;
  }

  #fetch(): Promise<Fetched> {
    this.#fetching ??= this.#fetchOnce().finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  async #fetchOnce(): Promise<Fetched> {
    const failure = this.#failure;
    if (failure !== undefined && this.#age(failure.at) < DISCOVERY_PAUSE_MS) throw failure.error;
    try {
      this.#keysUrl ??= await this.#discover();
      const keys = await this.#readKeys(this.#keysUrl);
      this.#failure = undefined;
      return (this.#fetched = { keys, at: this.#clock.monotonic() });
    } catch (error) {
      this.#failure = { error, at: this.#clock.monotonic() };
      throw error;
    }
  }

  async #discover(): Promise<string> {
    const document = await this.#requests.getObject(this.#discoveryUrl, 'provider discovery object');
    const named = getOwn(document, 'issuer');
    if (named !== this.#issuer) {
      const expected = `expected ${quoteGo(this.#issuer)} got ${quoteGo(typeof named === 'string' ? named : '')}`;
      throw new TokenError(`oidc: issuer did not match the issuer returned by provider, ${expected}`);
    }
    const url = getOwn(document, 'jwks_uri');
    if (typeof url !== 'string' || url === '') throw new TokenError('provider did not return JWKS URL');
    return url;
  }

  async #readKeys(url: string): Promise<readonly IssuerKey[]> {
    try {
      return readKeySet(await this.#requests.getObject(url, 'keys'));
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      throw new TokenError(`failed to verify signature: fetching keys ${error.message}`);
    }
  }
}

function isSigned(token: ParsedToken, { keys }: Fetched): boolean {
  const candidates = token.keyId === '' ? keys : keys.filter(({ id }) => id === token.keyId);
  return candidates.some((key) => hasValidSignature(token, key));
}

function notSigned(): TokenError {
  return new TokenError('failed to verify signature: failed to verify id token signature');
}
