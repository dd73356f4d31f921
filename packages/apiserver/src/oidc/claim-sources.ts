import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { goKindOf } from '@binnacle/apimachinery/serializer';
import { TokenError } from './token-error.js';

const SOURCE_TEXTS = ['endpoint', 'access_token'];

/**
 * Checks the sources of distributed claims, whichever of these claims count. `names` and `sources`: the two claims of the token. Throws a
 * {@link TokenError}. Upstream: go-oidc `oidc/verify.go`.
 */
export function checkClaimSources(names: JsonObject, sources: JsonObject): void {
  for (const name of Object.values(names)) checkText(name, 'idToken._claim_names');
  for (const source of Object.values(sources)) checkSource(source ?? null);
  for (const name of Object.values(names)) {
    if (typeof name !== 'string' || name === '') throw new TokenError('oidc: failed to obtain source from claim name');
    if (getOwn(sources, name) === undefined) throw new TokenError('oidc: source does not exist');
  }
}

function checkSource(source: JsonValue): void {
  if (source === null) return;
  if (!isObject(source)) throw wrongType(source, 'idToken._claim_sources', 'oidc.claimSource');
  for (const field of SOURCE_TEXTS) checkText(getOwn(source, field), `claimSource._claim_sources.${field}`);
}

/** A text may be null or absent. */
function checkText(value: JsonValue | undefined, field: string): void {
  if (value !== undefined && value !== null && typeof value !== 'string') throw wrongType(value, field, 'string');
}

function wrongType(value: JsonValue, field: string, type: string): TokenError {
  const what = `json: cannot unmarshal ${goKindOf(value)} into Go struct field ${field}`;
  return new TokenError(`oidc: failed to unmarshal claims: ${what} of type ${type}`);
}
