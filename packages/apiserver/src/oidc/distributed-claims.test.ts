import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { signToken } from '../serviceaccounts/index.js';
import { withDistributedClaim } from './distributed-claims.js';
import { makeIssuerKey, outcome } from './issuer.testing.js';
import { TokenError } from './token-error.js';

const NOW = Date.UTC(2027, 0, 1);
const ENDPOINT = 'https://groups.example/jane';
const key = makeIssuerKey();
const rules = { audiences: ['kube'], algorithms: ['ES256'] };
const pointing = {
  sub: 'jane',
  _claim_names: { groups: 'directory' },
  _claim_sources: { directory: { endpoint: ENDPOINT, access_token: 'secret' } },
};
const answer = (claims: JsonObject): string =>
  signToken({ iss: 'https://groups.example', aud: 'kube', exp: NOW / 1000 + 60, ...claims }, key);

/** Expands the claims with a source that answers with this, and what the source was asked. */
async function expand(claims: JsonObject, body: string, { isOk = true, isSigned = true } = {}) {
  const asked: unknown[] = [];
  const sources = {
    requests: {
      get: async (...request: unknown[]) => {
        asked.push(request);
        return { status: isOk ? '200 OK' : '404 Not Found', isOk, body: Buffer.from(body) };
      },
    },
    keysOf: (issuer: string) => ({
      verify: async () => {
        asked.push(issuer);
        if (!isSigned) throw new TokenError('not signed');
      },
    }),
  };
  return { asked, result: await outcome(() => withDistributedClaim(claims, 'groups', rules, sources, NOW)) };
}

describe('withDistributedClaim', () => {
  it('asks the named source with its access token, and verifies the answer by its issuer', async () => {
    const { asked, result } = await expand(pointing, answer({ groups: ['dev'] }));
    assert.deepEqual(result, { ...pointing, groups: ['dev'] });
    assert.deepEqual(asked, [[ENDPOINT, 'Bearer secret'], 'https://groups.example']);
  });

  it('asks no one for a claim that is there, or that no source has', async () => {
    const own = { ...pointing, groups: ['own'] };
    for (const claims of [own, { sub: 'jane' }, { ...pointing, _claim_names: { roles: 'directory' } }]) {
      const { asked, result } = await expand(claims, '');
      assert.deepEqual([result, asked], [claims, []]);
    }
  });

  it('refuses a source that is not described, fails, or answers with an invalid token', async () => {
    const reasonOf = async (...given: Parameters<typeof expand>) => (await expand(...given)).result;
    assert.equal(await reasonOf({ ...pointing, _claim_sources: null }, ''), 'oidc: no claim sources');
    assert.equal(await reasonOf({ sub: 'jane', _claim_names: {} }, ''), 'oidc: no claim sources');
    assert.equal(
      await reasonOf({ ...pointing, _claim_sources: {} }, ''),
      'id token _claim_names contained a source directory missing in _claims_sources',
    );
    assert.equal(
      await reasonOf(pointing, '', { isOk: false }),
      'while getting distributed claim "groups": error while getting distributed claim JWT: 404 Not Found',
    );
    assert.equal(
      await reasonOf(pointing, 'hello'),
      `getting untrusted issuer from endpoint ${ENDPOINT} failed for claim "groups": malformed token`,
    );
    assert.equal(
      await reasonOf(pointing, answer({ groups: [] }), { isSigned: false }),
      'verify distributed claim token: not signed',
    );
    assert.equal(
      await reasonOf(pointing, answer({ aud: 'other' })),
      'verify distributed claim token: oidc: expected audience "kube" got ["other"]',
    );
    assert.equal(
      await reasonOf(pointing, answer({})),
      `jwt returned by distributed claim endpoint "${ENDPOINT}" did not contain claim: groups`,
    );
  });
});
