import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { describe, it } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import { respondStatus } from '../http/index.js';
import { RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { createOpenId } from './open-id.js';
import { readSigningKey, makeSigningKeyText, tokenKeys } from './signing-keys.js';
import { makeTestKey } from './keys.testing.js';

const signing = readSigningKey(await makeSigningKeyText());
const older = makeTestKey();
const keys = async () => tokenKeys(signing, [older]);
const jwksUri = () => 'https://192.0.2.2:6443/openid/v1/jwks';
const openId = createOpenId({ issuer: 'https://issuer.example', jwksUri, keys });

async function get(path: string, accept?: string, method = 'GET') {
  const exchange = new FakeExchange({ method, url: path, headers: accept === undefined ? {} : { accept } });
  const context = new RequestContext(exchange, path, new URLSearchParams(), 0);
  try {
    await openId.handlerFor(path)?.(context);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    await respondStatus(context, error);
  }
  return exchange;
}

describe('OpenID', () => {
  it('describes the issuer', async () => {
    const answer = await get('/.well-known/openid-configuration', 'application/json');
    assert.equal(answer.status, 200);
    assert.equal(answer.responseHeaders['content-type'], 'application/json');
    assert.equal(answer.responseHeaders['cache-control'], 'public, max-age=3600');
    assert.equal(
      answer.body,
      '{"issuer":"https://issuer.example","jwks_uri":"https://192.0.2.2:6443/openid/v1/jwks",' +
        '"response_types_supported":["id_token"],"subject_types_supported":["public"],' +
        '"id_token_signing_alg_values_supported":["ES256","RS256"]}',
    );
  });

  it('publishes the public keys, and no private ones', async () => {
    const answer = await get('/openid/v1/jwks/');
    assert.equal(answer.responseHeaders['content-type'], 'application/jwk-set+json');
    const { keys: published } = JSON.parse(answer.body) as { keys: Record<string, string>[] };
    assert.deepEqual(
      published.map((key) => Object.keys(key)),
      [
        ['use', 'kty', 'kid', 'alg', 'n', 'e'],
        ['use', 'kty', 'kid', 'crv', 'alg', 'x', 'y'],
      ],
    );
    const [first = {}] = published;
    assert.equal(first['kid'], signing.id);
    assert.ok(createPublicKey({ key: first, format: 'jwk' }).equals(signing.publicKey));
  });

  it('negotiates exact media types only', async () => {
    const accepted = ['*/*', 'text/html, application/jwk-set+json;q=0.2', ''];
    for (const accept of accepted) assert.equal((await get('/openid/v1/jwks', accept)).status, 200, accept);
    const refused = ['application/json', 'application/*', 'text/html'];
    for (const accept of refused) assert.equal((await get('/openid/v1/jwks', accept)).status, 406, accept);
    assert.equal((await get('/openid/v1/jwks', '*/*', 'POST')).status, 405);
  });

  it('is absent when the issuer is not a plain https URL', () => {
    for (const issuer of ['kubernetes', 'http://a', 'https://a?b', 'https://a#b']) {
      const none = createOpenId({ issuer, jwksUri, keys });
      assert.deepEqual(none.paths, []);
      assert.equal(none.handlerFor('/openid/v1/jwks'), undefined);
    }
  });
});
