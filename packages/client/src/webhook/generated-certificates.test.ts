import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { generatedCertificates } from './generated-certificates.js';

const now = Date.now();
const day = 24 * 60 * 60 * 1000;
const hosts = ['foos.default.svc'];

const authoritiesOf = (bundle = '') =>
  bundle.split(/(?<=-----END CERTIFICATE-----\n)/).map((text) => new X509Certificate(text));

/** Whether a client that trusts the bundle accepts the certificate at that time. */
function isTrusted(serving: string, bundle: string | undefined, at: number): boolean {
  const leaf = new X509Certificate(serving);
  return Date.parse(leaf.validTo) > at && authoritiesOf(bundle).some((each) => leaf.verify(each.publicKey));
}

describe('generated certificates', () => {
  it('are the same object until they are renewed', async () => {
    const source = generatedCertificates(hosts);
    const first = await source.refresh(now);
    assert.equal(await source.refresh(now + 300 * day), first);
    assert.equal(new X509Certificate(first.serving.certificate).checkHost('foos.default.svc'), 'foos.default.svc');
  });

  it('are renewed a month before they expire, by the same authority', async () => {
    const source = generatedCertificates(hosts);
    const first = await source.refresh(now);
    const second = await source.refresh(now + 340 * day);
    assert.notEqual(second.serving, first.serving);
    assert.equal(second.caBundle, first.caBundle);
  });

  it('are trusted by clients with the previous bundle, at every call of twelve years', async () => {
    const source = generatedCertificates(hosts);
    let { caBundle } = await source.refresh(now);
    const bundles = new Set([caBundle]);
    for (let at = now; at < now + 12 * 365 * day; at += 10 * day) {
      const present = await source.refresh(at);
      assert.ok(isTrusted(present.serving.certificate, caBundle, at), new Date(at).toISOString());
      ({ caBundle } = present);
      bundles.add(caBundle);
    }
    assert.equal(bundles.size, 3, 'the first authority, both, and the second');
  });

  it('are generated again after a suspension in which all have expired', async () => {
    const source = generatedCertificates(hosts);
    await source.refresh(now);
    const late = now + 20 * 365 * day;
    const { serving, caBundle } = await source.refresh(late);
    assert.ok(isTrusted(serving.certificate, caBundle, late));
    assert.equal(authoritiesOf(caBundle).length, 1);
  });
});
