import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { KVError } from '../interface/index.js';
import { EtcdProcess, withoutEtcd } from '../testing/index.js';
import { openEtcdKV } from './index.js';
import { enableAuthentication } from './requests.testing.js';

const limit = { timeout: 600_000 };

/** Creates a certificate authority and its certificates with openssl in this directory. */
function makeCertificates(directory: string): void {
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  for (const name of ['ca', 'other-ca']) {
    openssl('req', '-x509', ...key, '-keyout', `${name}.key`, '-out', `${name}.crt`, '-subj', `/CN=${name}`);
  }
  writeFileSync(join(directory, 'server.ext'), 'subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n');
  writeFileSync(join(directory, 'client.ext'), 'extendedKeyUsage=clientAuth\n');
  for (const [name, authority, extensions] of [
    ['server', 'ca', 'server.ext'],
    ['client', 'ca', 'client.ext'],
    ['stranger', 'other-ca', 'client.ext'],
  ] as const) {
    openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const signer = ['-CA', `${authority}.crt`, '-CAkey', `${authority}.key`, '-CAcreateserial'];
    openssl('x509', '-req', '-in', `${name}.csr`, ...signer, '-out', `${name}.crt`, '-extfile', extensions);
  }
}

describe('etcd store: TLS with client certificates', { skip: withoutEtcd() }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'kv-etcd-tls-'));
  const file = (name: string): string => join(directory, name);
  let etcd: EtcdProcess | undefined;

  before(async () => {
    makeCertificates(directory);
    const flags = [
      `--cert-file=${file('server.crt')}`,
      `--key-file=${file('server.key')}`,
      `--trusted-ca-file=${file('ca.crt')}`,
      '--client-cert-auth',
    ];
    etcd = await EtcdProcess.start({ flags, scheme: 'https' });
  });
  after(async () => {
    await etcd?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('accepts a client certificate, and finds the data written before', limit, async () => {
    const endpoints = [etcd?.endpoint ?? ''];
    const tls = {
      certificateAuthority: readFileSync(file('ca.crt')),
      certificate: readFileSync(file('client.crt')),
      privateKey: readFileSync(file('client.key')),
    };
    await using kv = await openEtcdKV({ endpoints, tls });
    const operation = { type: 'put', value: Buffer.from('secret') } as const;
    const { revision } = await kv.txn({ key: '/s/a', expectedRevision: 0, operation });
    await etcd?.end();
    await etcd?.resume();
    const { items } = await kv.range({ prefix: '/s/' });
    assert.deepEqual(
      items.map(({ key, modRevision }) => [key, modRevision]),
      [['/s/a', revision]],
    );
  });

  const attempts = [
    { name: 'without a certificate', certificate: undefined, authority: 'ca' },
    { name: 'with a certificate of another authority', certificate: 'stranger', authority: 'ca' },
    { name: 'when the server certificate is not trusted', certificate: 'client', authority: 'other-ca' },
  ];
  for (const { name, certificate, authority } of attempts) {
    it(`is rejected ${name}`, limit, async () => {
      const tls = {
        certificateAuthority: readFileSync(file(`${authority}.crt`)),
        ...(certificate === undefined
          ? {}
          : {
              certificate: readFileSync(file(`${certificate}.crt`)),
              privateKey: readFileSync(file(`${certificate}.key`)),
            }),
      };
      const opening = openEtcdKV({ endpoints: [etcd?.endpoint ?? ''], tls, connectTimeoutMilliseconds: 1000 });
      await assert.rejects(opening, (error) => error instanceof KVError && error.code === 'unavailable');
    });
  }

  it('requires certificate and key together', limit, async () => {
    const tls = { certificate: readFileSync(file('client.crt')) };
    await assert.rejects(openEtcdKV({ endpoints: ['localhost'], tls }), RangeError);
  });
});

describe('etcd store: user and password', { skip: withoutEtcd() }, () => {
  it('logs in, and again when etcd has dropped the token', limit, async () => {
    await using etcd = await EtcdProcess.start();
    const endpoints = [etcd.endpoint];
    await using before = await openEtcdKV({ endpoints, user: 'root', password: 'early' });
    assert.ok((await before.currentRevision()) >= 1, 'a cluster without authentication lets any client in');
    await before.close();
    await enableAuthentication(etcd.endpoint, 'pässword');

    await using kv = await openEtcdKV({ endpoints, user: 'root', password: 'pässword' });
    const put = (key: string) =>
      kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value: Buffer.from('x'), ttlSeconds: 1000 } });
    const { revision: base } = await put('/a/a');
    const seen: number[] = [];
    const ended: Error[] = [];
    const abort = new AbortController();
    const both = new Promise<void>((resolve) => {
      const batch = ({ revision }: { readonly revision: number }): void => {
        seen.push(revision);
        if (seen.length === 2) resolve();
      };
      const sink = { batch, progress: () => undefined, ended: (error: Error) => ended.push(error) };
      kv.watch({ prefix: '/a/', fromRevision: base }, sink, abort.signal);
    });
    const { revision: first } = await put('/a/b');
    await etcd.end('SIGKILL');
    await etcd.resume();
    const { revision: second } = await put('/a/c');
    await both;
    assert.deepEqual(seen, [first, second]);
    assert.deepEqual(ended, []);
    abort.abort();

    for (const login of [{}, { user: 'root', password: 'wrong' }]) {
      await assert.rejects(
        openEtcdKV({ endpoints, ...login, connectTimeoutMilliseconds: 2000 }),
        (error) => error instanceof KVError && error.code === 'unavailable' && error.message.includes('user'),
      );
    }
  });
});
