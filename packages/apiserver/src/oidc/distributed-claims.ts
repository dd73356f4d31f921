import { getOwn, isObject, type JsonObject, setOwn } from '@binnacle/apimachinery/json';
import { quoteGo } from '@binnacle/apimachinery/status';
import { parseToken } from '../serviceaccounts/index.js';
import type { IssuerKeys } from './issuer-keys.js';
import type { IssuerRequests } from './issuer-requests.js';
import type { IssuerRules } from './issuer-rules.js';
import { TokenError } from './token-error.js';
import { issuerOf, verifyToken } from './verify-token.js';

/** How the sources of distributed claims are asked and verified. */
export interface ClaimSources {
  readonly requests: Pick<IssuerRequests, 'get'>;
  /** The keys of the issuer of a source. */
  readonly keysOf: (issuer: string) => Pick<IssuerKeys, 'verify'>;
}

/**
 * The claims of a verified token with this one, which another service may hold: the token names the service, whose answer
 * is a token as well. Throws a {@link TokenError}. Upstream: `claimResolver` of the OIDC authenticator, OpenID Connect Core
 * 5.6.2.
 */
export async function withDistributedClaim(
  claims: JsonObject,
  claim: string,
  rules: Pick<IssuerRules, 'audiences' | 'algorithms'>,
  sources: ClaimSources,
  now: number,
): Promise<JsonObject> {
  if (getOwn(claims, claim) !== undefined) return claims;
  const endpoint = endpointOf(claims, claim);
  if (endpoint === undefined) return claims;
  const found = await askSource(endpoint, claim, rules, sources, now);
  const value = getOwn(found, claim);
  if (value === undefined) {
    throw new TokenError(
      `jwt returned by distributed claim endpoint ${quoteGo(endpoint.url)} did not contain claim: ${claim}`,
    );
  }
  const expanded = { ...claims };
  setOwn(expanded, claim, value);
  return expanded;
}

interface Endpoint {
  readonly url: string;
  readonly accessToken: string;
}

/** Undefined: no other service holds the claim. */
function endpointOf(claims: JsonObject, claim: string): Endpoint | undefined {
  const names = getOwn(claims, '_claim_names');
  if (names === undefined) return undefined;
  const sources = getOwn(claims, '_claim_sources') ?? null;
  if (!isObject(sources)) throw new TokenError('oidc: no claim sources');
  const source = isObject(names) ? getOwn(names, claim) : undefined;
  if (typeof source !== 'string') return undefined;
  const found = getOwn(sources, source) ?? null;
  if (!isObject(found)) {
    throw new TokenError(`id token _claim_names contained a source ${source} missing in _claims_sources`);
  }
  const [url, accessToken] = [getOwn(found, 'endpoint') ?? '', getOwn(found, 'access_token') ?? ''];
  if (typeof url !== 'string' || typeof accessToken !== 'string') {
    throw new TokenError('oidc: could not parse claim sources');
  }
  return url === '' ? undefined : { url, accessToken };
}

async function askSource(
  { url, accessToken }: Endpoint,
  claim: string,
  rules: Pick<IssuerRules, 'audiences' | 'algorithms'>,
  { requests, keysOf }: ClaimSources,
  now: number,
): Promise<JsonObject> {
  const answer = await requests.get(url, accessToken === '' ? undefined : `Bearer ${accessToken}`).catch((error) => {
    throw prefixed(`while getting distributed claim ${quoteGo(claim)}: `, error);
  });
  if (!answer.isOk) {
    const what = `error while getting distributed claim JWT: ${answer.status}`;
    throw new TokenError(`while getting distributed claim ${quoteGo(claim)}: ${what}`);
  }
  const token = parseToken(answer.body.toString().trim());
  const issuer = token && issuerOf(token.payload);
  if (token === undefined || issuer === undefined) {
    const what = `from endpoint ${url} failed for claim ${quoteGo(claim)}: malformed token`;
    throw new TokenError(`getting untrusted issuer ${what}`);
  }
  try {
    return (await verifyToken(token, issuer, rules, keysOf(issuer), now)).claims;
  } catch (error) {
    throw prefixed('verify distributed claim token: ', error);
  }
}

function prefixed(prefix: string, error: unknown): unknown {
  return error instanceof TokenError ? new TokenError(`${prefix}${error.message}`) : error;
}
