import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeTestCertificate } from '../../packages/apiserver/dist/testing/index.js';
import { start } from 'binnacle';

const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const review = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
/** Header values as clients send them: one character per byte of UTF-8. */
const utf8 = (text) => Buffer.from(text).toString('latin1');

describe('a client certificate over HTTP/2', { timeout: 600_000 }, () => {
  const authority = makeTestCertificate('/CN=authority');
  const issue = (subject) =>
    makeTestCertificate(subject, { issuer: authority, extensions: ['basicConstraints=CA:FALSE'] });
  let folder;
  let server;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-certificates-'));
    const clientCAFile = join(folder, 'ca.crt');
    await writeFile(clientCAFile, authority.certificate);
    server = await start({ inMemory: true, controllers: '', clientCAFile });
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  /** Sends requests over one session, one after another, and returns the answers. */
  const ask = async ({ certificate, privateKey }, ...requests) => {
    const session = connect(server.url, { cert: certificate, key: privateKey, rejectUnauthorized: false });
    const answers = [];
    for (const headers of requests) {
      const stream = session.request({
        ':method': 'POST',
        ':path': reviews,
        'content-type': 'application/json',
        ...headers,
      });
      stream.end(review);
      const body = JSON.parse(Buffer.concat(await stream.toArray()).toString());
      answers.push(body.status.userInfo ?? `${body.code} ${body.message}`);
    }
    session.close();
    return answers;
  };

  it('impersonates if its user may, separately in each request', async () => {
    const [own, other, again] = await ask(
      issue('/O=system:masters/CN=root'),
      {},
      { 'impersonate-user': utf8('jörg'), 'impersonate-group': ['a, b', 'c'], 'impersonate-extra-acme%2fteam': 'red' },
      {},
    );
    assert.equal(own.username, 'root');
    assert.deepEqual(other, {
      username: 'jörg',
      groups: ['a, b', 'c', 'system:authenticated'],
      extra: { 'acme/team': ['red'] },
    });
    assert.deepEqual(again, own);
  });

  it('cannot impersonate without the right', async () => {
    const [own, refused] = await ask(issue('/CN=jane'), {}, { 'impersonate-user': 'root' });
    assert.equal(own.username, 'jane');
    assert.match(refused, /^403 .*User "jane" cannot impersonate-on:user-info:create resource "selfsubjectreviews"/);
  });

  it('authenticates no user when its authority is unknown', async () => {
    const stranger = makeTestCertificate('/O=system:masters/CN=root');
    assert.deepEqual(await ask(stranger, {}, { 'impersonate-user': 'jane' }), ['401 Unauthorized', '401 Unauthorized']);
  });
});
