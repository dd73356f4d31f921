import { createHash } from 'node:crypto';
import { LruMap } from '@binnacle/apimachinery/caches';
import type { Clock } from '@binnacle/apimachinery/clock';
import { refused, type UserInfo } from '../authentication/index.js';
import type { Egress } from '../egress/index.js';
import type { ParsedToken } from '../serviceaccounts/index.js';
import { ExpiringCache, SharedCalls } from '../webhooks/index.js';
import { withDistributedClaim } from './distributed-claims.js';
import { IssuerKeys } from './issuer-keys.js';
import { IssuerRequests } from './issuer-requests.js';
import type { IssuerRules } from './issuer-rules.js';
import { mapClaims } from './map-claims.js';
import { TokenError } from './token-error.js';
import { verifyToken } from './verify-token.js';

/** Upstream: `TokenSuccessCacheTTL`. */
const REMEMBERED_MS = 10_000;
const REMEMBERED_USERS = 10_000;
/** Issuers of distributed claims whose keys are kept. */
const MOST_SOURCES = 16;

/** Observes the tokens of issuers. */
export interface IssuerObserver {
  /** A token that was not remembered was accepted or refused. */
  examined(issuer: string, result: 'success' | 'failure', seconds: number): void;
}

export interface IssuerAuthenticatorOptions {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly observer: IssuerObserver;
}

/** Finds the users of the tokens of one issuer. */
export class IssuerAuthenticator {
  readonly #rules: IssuerRules;
  readonly #clock: Clock;
  readonly #observer: IssuerObserver;
  readonly #requests: IssuerRequests;
  readonly #keys: IssuerKeys;
  readonly #sources = new LruMap<string, IssuerKeys>(MOST_SOURCES);
  readonly #users: ExpiringCache<UserInfo>;
  readonly #calls = new SharedCalls<UserInfo>();

  constructor(rules: IssuerRules, { egress, clock, observer }: IssuerAuthenticatorOptions) {
    this.#rules = rules;
    this.#clock = clock;
    this.#observer = observer;
    this.#requests = new IssuerRequests(rules.certificateAuthority, egress, clock);
    this.#keys = new IssuerKeys(rules.url, rules.discoveryUrl, this.#requests, clock);
    this.#users = new ExpiringCache(clock, REMEMBERED_USERS);
  }

  /** `parsed` is what `token` says and names this issuer. Throws {@link refused} when the token is not accepted. */
  authenticate(token: string, parsed: ParsedToken): UserInfo | Promise<UserInfo> {
    const digest = createHash('sha256').update(token).digest('base64');
    return this.#users.get(digest) ?? this.#calls.once(digest, () => this.#timed(digest, parsed));
  }

  async #timed(digest: string, token: ParsedToken): Promise<UserInfo> {
    const began = this.#clock.monotonic();
    let result: 'success' | 'failure' = 'failure';
    try {
      const user = await this.#examine(digest, token);
      result = 'success';
      return user;
    } finally {
      this.#observer.examined(this.#rules.url, result, (this.#clock.monotonic() - began) / 1000);
    }
  }

  async #examine(digest: string, token: ParsedToken): Promise<UserInfo> {
    try {
      const now = this.#clock.now();
      const { claims, expires } = await this.#verified(token, now);
      const user = await mapClaims(await this.#expanded(claims, now), this.#rules);
      this.#users.add(digest, user, Math.min(REMEMBERED_MS, expires * 1000 - this.#clock.now()));
      return user;
    } catch (error) {
      throw error instanceof TokenError ? refused(`oidc: ${error.message}`) : error;
    }
  }

  async #verified(token: ParsedToken, now: number) {
    try {
      return await verifyToken(token, this.#rules.url, this.#rules, this.#keys, now);
    } catch (error) {
      throw error instanceof TokenError ? new TokenError(`verify token: ${error.message}`) : error;
    }
  }

  async #expanded(claims: ParsedToken['payload'], now: number) {
    const { groups } = this.#rules;
    if (groups === undefined || !('claim' in groups)) return claims;
    const sources = { requests: this.#requests, keysOf: (issuer: string) => this.#keysOf(issuer) };
    try {
      return await withDistributedClaim(claims, groups.claim, this.#rules, sources, now);
    } catch (error) {
      const what = 'could not expand distributed claims: ';
      throw error instanceof TokenError ? new TokenError(`${what}${error.message}`) : error;
    }
  }

  #keysOf(issuer: string): IssuerKeys {
    if (issuer === this.#rules.url) return this.#keys;
    const known = this.#sources.get(issuer);
    if (known !== undefined) return known;
    const keys = new IssuerKeys(issuer, undefined, this.#requests, this.#clock);
    this.#sources.set(issuer, keys);
    return keys;
  }
}
