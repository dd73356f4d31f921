import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { X509Certificate } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { makeTestCertificate } from '../../packages/apiserver/dist/testing/test-certificate.js';
import { BASE, Cluster, Extension } from './extension.mjs';

const REVIEWS = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const review = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });

it('by default, extension API servers can verify the server, and learn the user', async () => {
  const [cluster, extension] = await Promise.all([Cluster.start(), Extension.start()]);
  try {
    await cluster.connect(extension);
    let seen;
    extension.answer = (request, response) => {
      seen = { certificate: request.socket.getPeerX509Certificate(), headers: request.headers };
      response.end();
    };
    await cluster.send('GET', `${BASE}/things`);
    const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
    const { data } = JSON.parse((await cluster.send('GET', path)).text);
    const authority = new X509Certificate(data['requestheader-client-ca-file']);
    assert.ok(seen.certificate.verify(authority.publicKey));
    assert.equal(seen.certificate.subject, `CN=${JSON.parse(data['requestheader-allowed-names'])[0]}`);
    assert.equal(seen.headers[JSON.parse(data['requestheader-username-headers'])[0].toLowerCase()], 'kubernetes-admin');
    assert.notEqual(data['requestheader-client-ca-file'], data['client-ca-file']);
  } finally {
    await Promise.all([cluster.stop(), extension.stop()]);
  }
});

it('a front proxy names the user, and no other client does', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'front-proxy-'));
  const authority = makeTestCertificate('/CN=proxies');
  const clientOf = (name) => {
    const { certificate, privateKey } = makeTestCertificate(`/CN=${name}`, {
      issuer: authority,
      extensions: ['extendedKeyUsage=clientAuth'],
    });
    return { cert: certificate, key: privateKey };
  };
  const file = join(directory, 'ca.pem');
  await writeFile(file, authority.certificate);
  const cluster = await Cluster.start({
    requestheaderClientCAFile: file,
    requestheaderAllowedNames: ['proxy'],
    requestheaderUsernameHeaders: ['X-Named'],
    requestheaderGroupHeaders: ['X-Groups'],
    requestheaderExtraHeadersPrefix: ['X-More-'],
  });
  try {
    const whoami = async (tls, headers, token) => {
      const options = { ...tls, token, headers: { 'content-type': 'application/json', ...headers } };
      const { status, text } = await cluster.send('POST', REVIEWS, review, options);
      return status === 201 ? JSON.parse(text).status.userInfo : status;
    };
    const named = { 'x-named': 'jane', 'x-groups': ['a', 'b'], 'x-more-team': 'blue' };
    assert.deepEqual(await whoami(clientOf('proxy'), named, false), {
      username: 'jane',
      groups: ['a', 'b', 'system:authenticated'],
      extra: { team: ['blue'] },
    });
    assert.equal((await whoami({}, named, true)).username, 'kubernetes-admin');
    const { clientCertificate: cert, clientKey: key } = cluster.server.clientConfig;
    assert.equal((await whoami({ cert, key }, named, false)).username, 'kubernetes-admin');
    assert.equal(await whoami(clientOf('another'), named, false), 401);
    // The token counts when the certificate proves no proxy.
    assert.equal((await whoami(clientOf('another'), named, true)).username, 'kubernetes-admin');
  } finally {
    await cluster.stop();
    await rm(directory, { recursive: true });
  }
});
