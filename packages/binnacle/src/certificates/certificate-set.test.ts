import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import type { CertificatePair } from '@binnacle/client/certificates';
import { type CertificateSet, completeCertificateSet } from './index.js';

const now = Date.now();
const day = 24 * 60 * 60 * 1000;
const hosts = ['localhost', 'kubernetes.default.svc', '127.0.0.1', '::1'];

const read = (pair: CertificatePair) => new X509Certificate(pair.certificate);
const unchanged = (before: CertificateSet, after: CertificateSet) => ({
  authority: after.authority === before.authority,
  serving: after.serving === before.serving,
  admin: after.admin === before.admin,
});

describe('certificate set', () => {
  it('makes an authority, a serving and an administrator certificate', async () => {
    const set = await completeCertificateSet({}, hosts, now);
    const [authority, serving, admin] = [read(set.authority), read(set.serving), read(set.admin)];

    assert.ok(authority.ca && authority.verify(authority.publicKey));
    for (const [leaf, pair] of [
      [serving, set.serving],
      [admin, set.admin],
    ] as const) {
      assert.ok(!leaf.ca && leaf.checkIssued(authority) && leaf.verify(authority.publicKey));
      assert.ok(leaf.checkPrivateKey(createPrivateKey(pair.privateKey)));
      assert.match(pair.privateKey, /^-----BEGIN EC PRIVATE KEY-----\n/);
    }
    assert.deepEqual(serving.keyUsage, ['1.3.6.1.5.5.7.3.1']);
    assert.deepEqual(admin.keyUsage, ['1.3.6.1.5.5.7.3.2']);
    assert.equal(admin.subject, 'O=system:masters\nCN=kubernetes-admin');
    assert.equal(
      serving.subjectAltName,
      'DNS:localhost, DNS:kubernetes.default.svc, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    );
    assert.notEqual(serving.serialNumber, admin.serialNumber);
  });

  it('encodes dates after 2049, and serial numbers that are positive', async () => {
    const set = await completeCertificateSet({}, hosts, Date.UTC(2045, 5));
    const authority = read(set.authority);
    assert.deepEqual(
      [authority.validFrom, authority.validTo].map((date) => new Date(date).getUTCFullYear()),
      [2045, 2055],
    );
    assert.ok(read(set.serving).verify(authority.publicKey));
    assert.match(authority.serialNumber, /^[4-7][0-9A-F]{31}$/);
  });

  it('makes a front proxy with an authority of its own', async () => {
    const first = await completeCertificateSet({}, hosts, now);
    const [authority, proxy] = [read(first.frontProxyAuthority), read(first.frontProxy)];
    assert.ok(authority.ca && proxy.verify(authority.publicKey));
    assert.ok(!proxy.verify(read(first.authority).publicKey));
    assert.equal(proxy.subject, 'CN=front-proxy-client');
    const second = await completeCertificateSet(first, hosts, now + 300 * day);
    assert.deepEqual([second.frontProxyAuthority, second.frontProxy], [first.frontProxyAuthority, first.frontProxy]);
    const later = await completeCertificateSet(first, hosts, now + 340 * day);
    assert.equal(later.frontProxyAuthority, first.frontProxyAuthority);
    assert.ok(read(later.frontProxy).verify(authority.publicKey));
    assert.notEqual(later.frontProxy, first.frontProxy);
  });

  it('keeps valid certificates', async () => {
    const first = await completeCertificateSet({}, hosts, now);
    const second = await completeCertificateSet(first, hosts.slice(1), now + 300 * day);
    assert.deepEqual(unchanged(first, second), { authority: true, serving: true, admin: true });
  });

  it('replaces the serving certificate for a new host, with the same authority', async () => {
    const first = await completeCertificateSet({}, hosts, now);
    const second = await completeCertificateSet(first, [...hosts, '192.0.2.7'], now);
    assert.deepEqual(unchanged(first, second), { authority: true, serving: false, admin: true });
    assert.ok(read(second.serving).verify(read(first.authority).publicKey));
    assert.equal(read(second.serving).checkIP('192.0.2.7'), '192.0.2.7');
  });

  it('renews leaf certificates a month before they expire, and the authority before it expires', async () => {
    const first = await completeCertificateSet({}, hosts, now);
    const year = await completeCertificateSet(first, hosts, now + 340 * day);
    assert.deepEqual(unchanged(first, year), { authority: true, serving: false, admin: false });
    const decade = await completeCertificateSet(year, hosts, now + 3640 * day);
    assert.deepEqual(unchanged(year, decade), { authority: false, serving: false, admin: false });
  });

  it('replaces certificates that are unreadable or do not match', async () => {
    const first = await completeCertificateSet({}, hosts, now);
    const other = await completeCertificateSet({}, hosts, now);
    const cases: [Partial<CertificateSet>, ReturnType<typeof unchanged>][] = [
      [
        { ...first, admin: { certificate: 'no', privateKey: 'no' } },
        { authority: true, serving: true, admin: false },
      ],
      [
        { ...first, serving: { ...first.serving, privateKey: first.admin.privateKey } },
        { authority: true, serving: false, admin: true },
      ],
      [
        { ...first, serving: other.serving },
        { authority: true, serving: false, admin: true },
      ],
      [
        { ...first, authority: other.authority },
        { authority: false, serving: false, admin: false },
      ],
      [
        { ...first, authority: { ...first.authority, privateKey: '' } },
        { authority: false, serving: false, admin: false },
      ],
    ];
    for (const [present, expected] of cases) {
      assert.deepEqual(unchanged(first, await completeCertificateSet(present, hosts, now)), expected);
    }
  });
});
