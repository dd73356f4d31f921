import { generateKeyPairSync } from 'node:crypto';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import { IssuerKeys } from './issuer-keys.js';
import { makeIssuerKey, outcome, publicJwk, signed } from './issuer.testing.js';
import { readKeySet } from './key-set.js';
import { TokenError } from './token-error.js';

const ISSUER = 'https://issuer.example/realm/';
const DISCOVERY = 'https://issuer.example/realm/.well-known/openid-configuration';
const KEYS = 'https://issuer.example/keys';
const [first, second] = [makeIssuerKey(), makeIssuerKey()];
const NOT_SIGNED = 'failed to verify signature: failed to verify id token signature';

/** Keys over an issuer that answers with these documents, and the addresses that were asked. */
function setUp(discoveryUrl?: string) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const documents = new Map<string, JsonObject>([
    [discoveryUrl ?? DISCOVERY, { issuer: ISSUER, jwks_uri: KEYS }],
    [KEYS, { keys: [publicJwk(first)] }],
  ]);
  const requests = {
    getObject: async (address: string) => {
      asked.push(address);
      const document = documents.get(address);
      if (document === undefined) throw new TokenError('404 Not Found');
      return document;
    },
  };
  const keys = new IssuerKeys(ISSUER, discoveryUrl, requests, clock);
  const verify = (key = first) => outcome(() => keys.verify(signed({}, key)));
  return { clock, asked, documents, verify };
}

describe('IssuerKeys', () => {
  it('discovers the keys for the first token, once for those who wait', async () => {
    const { verify, asked } = setUp();
    assert.deepEqual(await Promise.all([verify(), verify(), verify()]), [undefined, undefined, undefined]);
    await verify();
    assert.deepEqual(asked, [DISCOVERY, KEYS]);
  });

  it('asks another address for the description of the issuer', async () => {
    const { verify, asked } = setUp('https://inside.example/discovery');
    await verify();
    assert.deepEqual(asked, ['https://inside.example/discovery', KEYS]);
  });

  it('fetches keys again for an unknown signature, but not for each one', async () => {
    const { verify, asked, documents, clock } = setUp();
    await verify();
    assert.equal(await verify(second), NOT_SIGNED);
    assert.equal(asked.length, 2);
    await clock.advance(5000);
    documents.set(KEYS, { keys: [publicJwk(second)] });
    assert.equal(await verify(second), undefined);
    assert.equal(await verify(first), NOT_SIGNED);
    assert.deepEqual(asked, [DISCOVERY, KEYS, KEYS]);
  });

  it('learns in the background that a key was withdrawn', async () => {
    const { verify, documents, clock } = setUp();
    await verify();
    documents.set(KEYS, { keys: [publicJwk(second)] });
    await clock.advance(5 * 60_000 + 1);
    assert.equal(await verify(), undefined);
    await clock.advance(0);
    assert.equal(await verify(), NOT_SIGNED);
  });

  it('follows an issuer that rotates its keys, with tokens of both keys, through an outage', async () => {
    const { verify, asked, documents, clock } = setUp();
    const both = async () => [await verify(first), await verify(second)];
    const unavailable = 'failed to verify signature: fetching keys 404 Not Found';
    await verify(first);
    await clock.advance(60_000);
    // The issuer signs with the second key, and publishes both; but nothing can be fetched.
    documents.delete(KEYS);
    assert.deepEqual(await both(), [undefined, unavailable]);
    await clock.advance(9000);
    documents.set(KEYS, { keys: [publicJwk(first), publicJwk(second)] });
    assert.deepEqual(await both(), [undefined, unavailable]);
    await clock.advance(1000);
    assert.deepEqual(await both(), [undefined, undefined]);
    assert.deepEqual(asked, [DISCOVERY, KEYS, KEYS, KEYS]);
    // It withdraws the first key during another outage: known keys count until the issuer answers.
    documents.delete(KEYS);
    await clock.advance(6 * 60_000);
    assert.deepEqual(await both(), [undefined, undefined]);
    documents.set(KEYS, { keys: [publicJwk(second)] });
    await clock.advance(10_000);
    assert.deepEqual(await both(), [undefined, undefined]);
    await clock.advance(5000);
    assert.deepEqual(await both(), [NOT_SIGNED, undefined]);
  });

  it('repeats a failed discovery after ten seconds', async () => {
    const { verify, asked, documents, clock } = setUp();
    documents.delete(DISCOVERY);
    assert.deepEqual([await verify(), await verify()], ['404 Not Found', '404 Not Found']);
    assert.equal(asked.length, 1);
    documents.set(DISCOVERY, { issuer: ISSUER, jwks_uri: KEYS });
    await clock.advance(10_000);
    assert.equal(await verify(), undefined);
  });

  it('refuses a description of another issuer, or without keys', async () => {
    const other = setUp();
    other.documents.set(DISCOVERY, { issuer: 'https://other.example', jwks_uri: KEYS });
    const expected = `expected "${ISSUER}" got "https://other.example"`;
    assert.equal(await other.verify(), `oidc: issuer did not match the issuer returned by provider, ${expected}`);
    const none = setUp();
    none.documents.set(DISCOVERY, { issuer: ISSUER });
    assert.equal(await none.verify(), 'provider did not return JWKS URL');
    const noKeys = setUp();
    noKeys.documents.delete(KEYS);
    assert.equal(await noKeys.verify(), 'failed to verify signature: fetching keys 404 Not Found');
    const odd = setUp();
    odd.documents.set(KEYS, { keys: [publicJwk(first), null] });
    const why = 'oidc: failed to decode keys: a key is not an object';
    assert.equal(await odd.verify(), `failed to verify signature: fetching keys ${why}`);
  });
});

describe('readKeySet', () => {
  it('takes public keys of RSA and of curves, and no others', () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const leaked = { ...privateKey.export({ format: 'jwk' }), kid: 'private' } as JsonObject;
    const rsa = { ...publicKey.export({ format: 'jwk' }), kid: 'rsa' } as JsonObject;
    const secret = { kty: 'oct', k: 'c2VjcmV0', kid: 'secret' };
    const edwards = { kty: 'OKP', crv: 'Ed25519', x: 'AA', kid: 'edwards' };
    const listed = [rsa, publicJwk(first), secret, leaked, edwards];
    assert.deepEqual(
      readKeySet({ keys: listed }).map(({ id }) => id),
      ['rsa', first.id],
    );
    for (const document of [{}, { keys: null }, { keys: [] }]) assert.deepEqual(readKeySet(document), []);
  });

  const point = publicJwk(first);
  const malformed: readonly JsonValue[] = [
    null,
    'key',
    {},
    { kty: 'unknown' },
    { kty: 'oct' },
    { kty: 'RSA', kid: 5 },
    { kty: 'RSA', n: 'AQAB' },
    { kty: 'RSA', n: 'AQ==', e: 'AQAB' },
    { kty: 'OKP', crv: 'Ed25519' },
    { ...point, crv: 'P-384' },
    { ...point, crv: 'secp256k1' },
    { ...point, x: 'AA' },
    { ...point, y: point['x'] ?? null },
  ];
  for (const key of malformed) {
    it(`refuses a set with the key ${JSON.stringify(key)}`, () => {
      assert.throws(() => readKeySet({ keys: [publicJwk(second), key] }), /^TokenError: oidc: failed to decode keys: /);
    });
  }

  it('refuses keys that are not a list', () => {
    assert.throws(() => readKeySet({ keys: {} }), TokenError);
  });
});
