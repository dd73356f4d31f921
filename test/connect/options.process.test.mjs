import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { createIssuer } from '@binnacle/client/certificates';
import { startCluster } from './cluster.mjs';

const LOG = '/api/v1/namespaces/default/pods/p/log';

let folder;
let issuer;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'binnacle-kubelet-options-'));
  issuer = await createIssuer('other-ca', Date.now());
});
after(() => rmSync(folder, { recursive: true }));

function file(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Runs with a cluster whose server has these options. */
async function withCluster(given, run) {
  const cluster = await startCluster(given);
  const log = async (query = '') => {
    const { status, text } = await cluster.send('GET', `${LOG}${query}`);
    return status === 200 ? text : JSON.parse(text).message;
  };
  try {
    await run(cluster, log);
  } finally {
    await cluster.stop();
  }
}

it('a kubelet of another authority is refused, unless the client wants its log anyway', async () => {
  const kubeletCertificateAuthority = file('ca.crt', issuer.authority.certificate);
  await withCluster({ options: { kubeletCertificateAuthority } }, async (_cluster, log) => {
    assert.match(await log(), /x509: certificate signed by unknown authority$/);
    assert.equal(await log('?insecureSkipTLSVerifyBackend=true'), 'a line\n');
  });
});

it('kubelets see the certificate that the user names', async () => {
  const { certificate, privateKey } = issuer.issueClient({ commonName: 'my-server' });
  const options = {
    kubeletClientCertificate: file('client.crt', certificate),
    kubeletClientKey: file('client.key', privateKey),
  };
  await withCluster({ options, clientAuthority: issuer.authority.certificate }, async ({ kubelet }, log) => {
    assert.equal(await log(), 'a line\n');
    assert.equal(kubelet.requests.at(-1).user, 'my-server');
  });
});

it('the preferred address and the default port lead to kubelets', async () => {
  const options = { kubeletPreferredAddressTypes: ['ExternalIP, ExternalDNS'], kubeletPort: 1 };
  await withCluster({ options }, async ({ must }, log) => {
    assert.equal(await log(), 'no preferred addresses found; known addresses: [{InternalIP 127.0.0.1}]');
    await must('PATCH', '/api/v1/nodes/n/status', {
      status: { addresses: [{ type: 'ExternalIP', address: '127.0.0.1' }], daemonEndpoints: null },
    });
    assert.match(await log(), /dial tcp 127\.0\.0\.1:1: connect: connection refused$/);
  });
});
