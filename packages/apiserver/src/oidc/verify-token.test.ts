import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import { ALL_ALGORITHMS } from './issuer-rules.js';
import { makeIssuerKey, outcome, parsed, signed, withSecret } from './issuer.testing.js';
import { TokenError } from './token-error.js';
import { verifyToken } from './verify-token.js';

const ISSUER = 'https://issuer.example';
const NOW = Date.UTC(2027, 0, 1);
const SECONDS = NOW / 1000;
const key = makeIssuerKey();
const claims = { iss: ISSUER, aud: 'kube', sub: 'jane', exp: SECONDS + 60 };
const rules = { audiences: ['kube'], algorithms: ALL_ALGORITHMS };
const anyKey = { verify: async () => undefined };

const verify = (token: ReturnType<typeof signed>, changes: Partial<typeof rules> = {}, keys: typeof anyKey = anyKey) =>
  outcome(async () => (await verifyToken(token, ISSUER, { ...rules, ...changes }, keys, NOW)).claims);

describe('verifyToken', () => {
  it('accepts a token with the right claims', async () => {
    assert.deepEqual(await verify(signed(claims, key)), claims);
  });

  const wrongType = (name: string, kind: string, type: string) =>
    `oidc: failed to unmarshal claims: json: cannot unmarshal ${kind} into Go struct field idToken.${name} of type ${type}`;
  const otherIssuer = (given: string) =>
    `oidc: id token issued by a different provider, expected "${ISSUER}" got ${JSON.stringify(given)}`;
  const cases: readonly (readonly [what: string, changes: Record<string, JsonValue | undefined>, reason: string])[] = [
    ['of another issuer', { iss: 'https://other.example' }, otherIssuer('https://other.example')],
    ['of an issuer with a final slash', { iss: `${ISSUER}/` }, otherIssuer(`${ISSUER}/`)],
    ['without an issuer', { iss: undefined }, otherIssuer('')],
    ['for another audience', { aud: ['a', 'b'] }, 'oidc: expected audience "kube" got ["a" "b"]'],
    ['without an audience', { aud: undefined }, 'oidc: expected audience "kube" got []'],
    ['that has expired', { exp: SECONDS - 1 }, 'oidc: token is expired (Token Expiry: 2026-12-31 23:59:59 +0000 UTC)'],
    [
      'that expires after the end of all clocks',
      { exp: 1e300 },
      'oidc: token is expired (Token Expiry: -Infinity seconds)',
    ],
    ['without an expiry', { exp: undefined }, 'oidc: token is expired (Token Expiry: 0001-01-01 00:00:00 +0000 UTC)'],
    [
      'that is valid later',
      { nbf: SECONDS + 301 },
      'oidc: current time 2027-01-01 00:00:00 +0000 UTC before the nbf (not before) time: 2027-01-01 00:05:01 +0000 UTC',
    ],
    ['with a subject of the wrong type', { sub: 5 }, wrongType('sub', 'number', 'string')],
    ['with an expiry of the wrong type', { exp: 'soon' }, wrongType('exp', 'string', 'json.Number')],
    [
      'with claim sources of the wrong type',
      { _claim_sources: [] },
      wrongType('_claim_sources', 'array', 'map[string]string'),
    ],
    [
      'with a null as a time',
      { iat: null },
      'oidc: failed to unmarshal claims: strconv.ParseFloat: parsing "": invalid syntax',
    ],
    ['with a claim of a nameless source', { _claim_names: { a: '' } }, 'oidc: failed to obtain source from claim name'],
    ['with a claim of an unknown source', { _claim_names: { a: 's' } }, 'oidc: source does not exist'],
    [
      'with the name of a source of the wrong type',
      { _claim_names: { a: 1 } },
      wrongType('_claim_names', 'number', 'string'),
    ],
    [
      'with a source of the wrong type',
      { _claim_sources: { s: 1 } },
      wrongType('_claim_sources', 'number', 'oidc.claimSource'),
    ],
    [
      'with an address of a source of the wrong type',
      { _claim_sources: { s: { endpoint: 1 } } },
      wrongType('_claim_sources.endpoint', 'number', 'string').replace('idToken', 'claimSource'),
    ],
    [
      'with an audience of the wrong type',
      { aud: 5 },
      'oidc: failed to unmarshal claims: json: cannot unmarshal number into Go value of type []string',
    ],
  ];
  for (const [what, changes, reason] of cases) {
    it(`refuses a token ${what}`, async () => {
      const changed = Object.entries({ ...claims, ...changes }).filter(([, value]) => value !== undefined);
      assert.equal(await verify(signed(Object.fromEntries(changed) as JsonObject, key)), reason);
    });
  }

  it('accepts a null as the time before which the token is not valid, and sources that are empty', async () => {
    const sourced = { ...claims, nbf: null, _claim_names: { a: 's' }, _claim_sources: { s: null, t: {} } };
    assert.deepEqual(await verify(signed(sourced, key)), sourced);
  });

  it('accepts clocks that differ by five minutes, and the issuer of Google without its scheme', async () => {
    assert.equal(typeof (await verify(signed({ ...claims, nbf: SECONDS + 300 }, key))), 'object');
    const google = signed({ ...claims, iss: 'accounts.google.com' }, key);
    const found = await verifyToken(google, 'https://accounts.google.com', rules, anyKey, NOW);
    assert.equal(found.expires, claims.exp);
  });

  it('refuses other algorithms before it asks for a key: none, secrets, and those that are not permitted', async () => {
    const keys = { verify: () => Promise.reject(new TypeError('no key is needed')) };
    const unsupported = (expected: string, got: string) =>
      `oidc: id token signed with unsupported algorithm, expected ${expected} got "${got}"`;
    const all = `[${ALL_ALGORITHMS.map((name) => JSON.stringify(name)).join(' ')}]`;
    const [head, body] = withSecret({ alg: 'none' }, claims, '').split('.');
    assert.equal(await verify(parsed(`${head}.${body}.`), {}, keys), unsupported(all, 'none'));
    const publicKey = key.publicKey.export({ format: 'pem', type: 'spki' }).toString();
    const confused = withSecret({ alg: 'HS256', kid: key.id }, claims, publicKey);
    assert.equal(await verify(parsed(confused), {}, keys), unsupported(all, 'HS256'));
    const limited = { algorithms: ['RS256'] };
    assert.equal(await verify(signed(claims, key), limited, keys), unsupported('["RS256"]', 'ES256'));
  });

  it('looks at no claim of a token whose signature is wrong, and refuses a repeated one', async () => {
    const wrong = { verify: () => Promise.reject(new TokenError('not signed')) };
    assert.equal(await verify(signed({ ...claims, exp: 0 }, key), {}, wrong), 'not signed');
    const [head, , signature] = withSecret({ alg: 'ES256' }, claims, '').split('.');
    const body = Buffer.from(`{"iss":"${ISSUER}","sub":"a","sub":"b"}`).toString('base64url');
    assert.equal(
      await verify(parsed(`${head}.${body}.${signature}`)),
      'oidc: failed to unmarshal claims: duplicate key "sub"',
    );
  });
});
