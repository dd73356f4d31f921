import assert from 'node:assert/strict';
import { getCiphers } from 'node:tls';
import { it } from 'node:test';
import { cipherList } from './cipher-suites.js';

const TLS13 = 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256';

it('names the suites as OpenSSL does, in order, after those of TLS 1.3', () => {
  assert.equal(
    cipherList([
      'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
      'TLS_AES_128_GCM_SHA256',
      'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
      'TLS_RSA_WITH_AES_128_CBC_SHA',
    ]),
    `${TLS13}:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:AES128-SHA`,
  );
  assert.equal(cipherList([]), TLS13);
});

it('knows only suites that node has', () => {
  const own = new Set(getCiphers());
  for (const key of ['RSA', 'ECDSA']) {
    for (const suite of [
      'AES_128_GCM_SHA256',
      'AES_256_GCM_SHA384',
      'CHACHA20_POLY1305',
      'AES_128_CBC_SHA',
      'AES_256_CBC_SHA',
    ]) {
      const list = cipherList([`TLS_ECDHE_${key}_WITH_${suite}`])
        .split(':')
        .slice(3);
      assert.ok(
        list.every((name) => own.has(name.toLowerCase())),
        list.join(),
      );
    }
  }
});

it("refuses other suites in upstream's words", () => {
  const message = "Cipher suite TLS_RSA_WITH_RC4_128_SHA not supported or doesn't exist";
  assert.throws(() => cipherList(['TLS_RSA_WITH_RC4_128_SHA']), { name: 'RangeError', message });
});
