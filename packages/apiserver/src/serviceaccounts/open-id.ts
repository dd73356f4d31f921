import type { JsonObject } from '@binnacle/apimachinery/json';
import { acceptsExactly } from '@binnacle/apimachinery/serializer';
import { methodNotAllowed, notAcceptableRepresentation } from '@binnacle/apimachinery/status';
import { writeResponse } from '../http/index.js';
import type { Handler, RequestContext } from '../request/index.js';
import type { TokenKeys, VerificationKey } from './signing-keys.js';

const CONFIGURATION_PATH = '/.well-known/openid-configuration';
const KEYS_PATH = '/openid/v1/jwks';
/** The time for which clients may use a replaced key. Upstream: `StaticPublicKeysGetter`. */
const CACHE_CONTROL = 'public, max-age=3600';

export interface OpenIdOptions {
  /** The issuer of new tokens. */
  readonly issuer: string;
  /** The URL of the key set. Called for each answer. */
  readonly jwksUri: () => string;
  readonly keys: () => Promise<TokenKeys>;
}

/** The endpoints with which other parties verify this server's tokens. */
export interface OpenId {
  handlerFor(path: string): Handler | undefined;
  readonly paths: readonly string[];
}

/**
 * The discovery document and the public keys of the issuer. OpenID requires a plain https URL, so other issuers have
 * neither.
 * Upstream: kubernetes `pkg/serviceaccount/openidmetadata.go`, `pkg/routes`.
 */
export function createOpenId({ issuer, jwksUri, keys }: OpenIdOptions): OpenId {
  if (!isPlainHttpsUrl(issuer)) return { handlerFor: () => undefined, paths: [] };
  const handlers = new Map<string, Handler>([
    [
      CONFIGURATION_PATH,
      async (context) =>
        respond(context, 'application/json', configuration(issuer, jwksUri(), (await keys()).verification)),
    ],
    [
      KEYS_PATH,
      async (context) =>
        respond(context, 'application/jwk-set+json', { keys: (await keys()).verification.map(webKey) }),
    ],
  ]);
  return { handlerFor: (path) => handlers.get(path.replace(/\/$/, '')), paths: [...handlers.keys()] };
}

function isPlainHttpsUrl(text: string): boolean {
  return URL.canParse(text) && text.startsWith('https://') && !/[?#]/.test(text);
}

function configuration(issuer: string, jwksUri: string, keys: readonly VerificationKey[]): JsonObject {
  return {
    issuer,
    jwks_uri: jwksUri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm.name))].sort(),
  };
}

/** Members have upstream's order. */
function webKey({ id, algorithm, publicKey }: VerificationKey): JsonObject {
  const { kty, crv, x, y, n, e } = publicKey.export({ format: 'jwk' });
  return { use: 'sig', kty, kid: id, crv, alg: algorithm.name, x, y, n, e };
}

function respond(context: RequestContext, mediaType: string, document: JsonObject): void | Promise<void> {
  const { method, headers } = context.exchange;
  if (method !== 'GET') throw methodNotAllowed();
  if (!acceptsExactly(headers.accept, [mediaType])) throw notAcceptableRepresentation([mediaType]);
  return writeResponse(
    context,
    200,
    { 'content-type': mediaType, 'cache-control': CACHE_CONTROL },
    JSON.stringify(document),
  );
}
