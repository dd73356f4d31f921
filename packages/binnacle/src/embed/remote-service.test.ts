import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import { readRemoteService, readWebhookUsers } from './remote-service.js';

describe('the kubeconfig of a service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remote-service-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'config');
  const signal = new AbortController().signal;

  const read = (cluster: object, user: object = {}) => {
    const config = {
      clusters: [{ name: 'c', cluster: { server: 'https://service.example/path', ...cluster } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    writeFileSync(file, JSON.stringify(config));
    return readRemoteService(file, systemClock);
  };

  it('gives the address and what verifies it', async () => {
    const { url, certificateAuthority, serverName, skipsVerification } = await read({
      'certificate-authority-data': Buffer.from('PEM').toString('base64'),
      'tls-server-name': 'other.example',
    });
    assert.deepEqual([url, certificateAuthority, serverName], ['https://service.example/path', 'PEM', 'other.example']);
    assert.equal(skipsVerification, false);
    assert.equal((await read({ 'insecure-skip-tls-verify': true })).skipsVerification, true);
  });

  it('gives the credentials of this server', async () => {
    const credentialsOf = async (user: object) => (await read({}, user)).credentials(signal);
    assert.equal((await credentialsOf({ token: 't' })).authorization, 'Bearer t');
    const basic = `Basic ${Buffer.from('jane:secret').toString('base64')}`;
    assert.equal((await credentialsOf({ username: 'jane', password: 'secret' })).authorization, basic);
    assert.equal((await credentialsOf({})).authorization, undefined);
    const [certificate, key] = ['CERT', 'KEY'].map((text) => Buffer.from(text).toString('base64'));
    const pair = await credentialsOf({ 'client-certificate-data': certificate, 'client-key-data': key });
    assert.deepEqual([pair.clientCertificate, pair.clientKey], ['CERT', 'KEY']);
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, 'from-file\n');
    const service = await read({}, { tokenFile });
    assert.equal((await service.credentials(signal)).authorization, 'Bearer from-file');
    assert.equal(await service.credentials(signal), await service.credentials(signal));
  });

  it('gives the users of webhooks by name, and the one of its context', async () => {
    const config = {
      users: [
        { name: 'hook.example', user: { token: 'one' } },
        { name: 'other', user: { token: 'two' } },
      ],
      contexts: [{ name: 'x', context: { user: 'other' } }],
      'current-context': 'x',
    };
    writeFileSync(file, JSON.stringify(config));
    const { users, currentUser } = await readWebhookUsers(file, systemClock);
    assert.equal(currentUser, 'other');
    const tokens = [...users].map(async ([name, user]) => [name, (await user.credentials(signal)).authorization]);
    assert.deepEqual(await Promise.all(tokens), [
      ['hook.example', 'Bearer one'],
      ['other', 'Bearer two'],
    ]);
    const impersonating = { users: [{ name: 'a', user: { as: 'jane' } }] };
    writeFileSync(file, JSON.stringify(impersonating));
    await assert.rejects(readWebhookUsers(file, systemClock), /^Error: user "a": impersonation is not supported$/);
  });

  it('may not ask for what is not supported', async () => {
    await assert.rejects(read({ server: 'http://a' }), /^Error: the server "http:\/\/a" must use https$/);
    await assert.rejects(read({ 'proxy-url': 'http://proxy' }), /^Error: a proxy-url is not supported$/);
    await assert.rejects(read({}, { as: 'jane' }), /^Error: impersonation is not supported$/);
    await assert.rejects(readRemoteService(join(folder, 'absent'), systemClock), /absent: does not exist$/);
  });
});
