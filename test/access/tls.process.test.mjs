/** How connections to the server are encrypted, and which certificate it shows. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { json } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { eventually } from '@binnacle/client/testing';
import { start } from 'binnacle';
import { makeTestCertificate } from '../../packages/apiserver/dist/testing/test-certificate.js';

const folder = mkdtempSync(join(tmpdir(), 'tls-'));
const options = { inMemory: true, controllers: '', scheduler: false };
const limit = { timeout: 600_000 };

/** The value of `--tls-sni-cert-key` for a new certificate. */
function named(name, alternativeNames, names = '') {
  const { certificate, privateKey } = makeTestCertificate(`/CN=${name}`, { alternativeNames });
  writeFileSync(join(folder, `${name}.crt`), certificate);
  writeFileSync(join(folder, `${name}.key`), privateKey);
  return `${join(folder, `${name}.crt`)},${join(folder, `${name}.key`)}${names}`;
}

/** Resolves to the facts of a connection; rejects when the handshake fails. */
async function handshake(server, client = {}) {
  const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false, ...client });
  try {
    await once(socket, 'secureConnect');
    const { subject } = socket.getPeerCertificate();
    return { version: socket.getProtocol(), cipher: socket.getCipher().name, subject: subject.CN };
  } finally {
    socket.destroy();
  }
}

async function serving(given, use) {
  const server = await start({ ...options, ...given });
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

const tls12 = { maxVersion: 'TLSv1.2' };

describe('TLS', () => {
  after(() => rmSync(folder, { recursive: true }));

  it('1.2 is the lowest version, or 1.3 on request', limit, async () => {
    await serving({}, async (server) => {
      assert.equal((await handshake(server)).version, 'TLSv1.3');
      assert.equal((await handshake(server, tls12)).version, 'TLSv1.2');
      await assert.rejects(
        handshake(server, { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }),
      );
    });
    await serving({ tlsMinVersion: 'VersionTLS13' }, async (server) => {
      assert.equal((await handshake(server)).version, 'TLSv1.3');
      await assert.rejects(handshake(server, tls12));
    });
  });

  it('uses only the given cipher suites, and those of 1.3', limit, async () => {
    const tlsCipherSuites = [
      'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
      'TLS_AES_128_GCM_SHA256',
    ];
    await serving({ tlsCipherSuites }, async (server) => {
      assert.match((await handshake(server, tls12)).cipher, /^ECDHE-(ECDSA|RSA)-AES256-GCM-SHA384$/);
      const other = { ...tls12, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256' };
      await assert.rejects(handshake(server, other));
      assert.equal((await handshake(server)).version, 'TLSv1.3');
    });
  });

  it('shows the certificate of the name that a client asks for', limit, async () => {
    const tlsSniCertKeys = [
      named('own.example', 'DNS:other.example'),
      named('given', 'DNS:unused.example', ':a.example,*.b.example'),
    ];
    await serving({ tlsSniCertKeys, tlsMinVersion: 'VersionTLS13' }, async (server) => {
      const { subject: usual } = await handshake(server);
      for (const [servername, expected] of [
        ['own.example', 'own.example'],
        ['other.example', 'own.example'],
        ['a.example', 'given'],
        ['x.b.example', 'given'],
        ['unused.example', usual],
        ['b.example', usual],
      ]) {
        assert.equal((await handshake(server, { servername })).subject, expected, servername);
      }
      await assert.rejects(handshake(server, { ...tls12, servername: 'a.example' }), 'also below the lowest version');
    });
  });

  it('shows a changed certificate, and trusts a changed authority, without a restart', limit, async () => {
    const pair = (subject) => {
      const made = makeTestCertificate(subject);
      writeFileSync(join(folder, 'serving.key'), made.privateKey);
      writeFileSync(join(folder, 'serving.crt'), made.certificate);
      return made;
    };
    const trust = (made) => writeFileSync(join(folder, 'clients.crt'), made.certificate);
    const first = makeTestCertificate('/O=dev/CN=first');
    const second = makeTestCertificate('/O=dev/CN=second');
    pair('/CN=old');
    trust(first);
    const [tlsCertFile, tlsPrivateKeyFile, clientCAFile] = ['serving.crt', 'serving.key', 'clients.crt'].map((name) =>
      join(folder, name),
    );
    await serving({ tlsCertFile, tlsPrivateKeyFile, clientCAFile }, async (server) => {
      const userOf = async ({ certificate, privateKey }) => {
        const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
        const url = new URL('/apis/authentication.k8s.io/v1/selfsubjectreviews', server.url);
        const sent = request(url, {
          method: 'POST',
          cert: certificate,
          key: privateKey,
          rejectUnauthorized: false,
          agent: false,
        });
        sent.setHeader('content-type', 'application/json').end(JSON.stringify(body));
        const [response] = await once(sent, 'response');
        const { status } = await json(response);
        return status.userInfo?.username;
      };
      assert.equal((await handshake(server)).subject, 'old');
      assert.equal(await userOf(first), 'first');
      assert.notEqual(await userOf(second), 'second');
      writeFileSync(join(folder, 'serving.crt'), 'half a file');
      pair('/CN=new');
      trust(second);
      await eventually(async () => {
        assert.equal((await handshake(server)).subject, 'new');
        assert.equal(await userOf(second), 'second');
        assert.notEqual(await userOf(first), 'first');
      }, limit);
    });
  });

  for (const [given, message] of [
    [
      { tlsMinVersion: 'VersionTLS11' },
      '--tls-min-version VersionTLS11: this server speaks no version below VersionTLS12',
    ],
    [{ tlsMinVersion: 'TLS12' }, '--tls-min-version: unknown tls version "TLS12"'],
    [
      { tlsCipherSuites: ['TLS_RSA_WITH_RC4_128_SHA'] },
      "--tls-cipher-suites: Cipher suite TLS_RSA_WITH_RC4_128_SHA not supported or doesn't exist",
    ],
    [{ tlsSniCertKeys: ['a'] }, '--tls-sni-cert-key a: expected comma separated certificate and key file paths'],
    [{ tlsSniCertKeys: ['a,b:'] }, '--tls-sni-cert-key a,b:: empty names list is not allowed'],
    [{ tlsSniCertKeys: ['/none,/none'] }, '--tls-sni-cert-key /none: no such file or directory'],
  ]) {
    it(`refuses ${JSON.stringify(given)}`, limit, async () => {
      await assert.rejects(start({ ...options, ...given }), { message });
    });
  }
});
