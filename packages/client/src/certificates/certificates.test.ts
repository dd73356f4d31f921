import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { createIssuer, isValidAuthority, isValidLeaf, issuerOf } from './index.js';

const now = Date.now();
const day = 24 * 60 * 60 * 1000;

describe('certificate issuer', () => {
  it('signs a server certificate for all hosts', async () => {
    const issuer = await createIssuer('test-ca', now);
    assert.match(new X509Certificate(issuer.authority.certificate).subject, /^CN=test-ca-[0-9a-f]{8}$/);
    const pair = issuer.issueServing('web', ['web.default.svc', '127.0.0.1']);
    assert.equal(new X509Certificate(pair.certificate).subject, 'CN=web');
    assert.ok(isValidAuthority(issuer.authority, now));
    assert.ok(isValidLeaf(pair, issuer.authority, now, ['web.default.svc', '127.0.0.1']));
    assert.ok(!isValidLeaf(pair, issuer.authority, now, ['other.default.svc']));
    assert.ok(isValidLeaf(pair, issuer.authority, now + 330 * day, []));
    assert.ok(!isValidLeaf(pair, issuer.authority, now + 340 * day, []), 'renewed a month before it expires');
  });

  it('signs with an authority that it did not make', async () => {
    const { authority } = await createIssuer('test-ca', now);
    const pair = (await issuerOf(authority, now)).issueClient({ commonName: 'admin', organization: 'system:masters' });
    assert.equal(new X509Certificate(pair.certificate).subject, 'O=system:masters\nCN=admin');
    assert.ok(isValidLeaf(pair, authority, now, []));
  });

  it('rejects an authority key that is not on an elliptic curve', async () => {
    const { authority } = await createIssuer('test-ca', now);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pair = { ...authority, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    await assert.rejects(issuerOf(pair, now), /is not on an elliptic curve/);
  });
});
