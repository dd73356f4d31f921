import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIssuer } from '@binnacle/client/certificates';
import { start } from 'binnacle';
import { startFakeKubelet } from './fake-kubelet.mjs';

/**
 * A server with one node, whose kubelet is a fake one, and one running pod `p` there. The server verifies the kubelet.
 * @param {Pick<Parameters<typeof startFakeKubelet>[0], 'logs' | 'declaredFeatures'>} options
 */
export async function startCluster({ options = {}, ...kubeletOptions } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-connect-'));
  const issuer = await createIssuer('kubelet-ca', Date.now());
  const authorityFile = join(folder, 'kubelet-ca.crt');
  writeFileSync(authorityFile, issuer.authority.certificate);
  const server = await start({
    inMemory: true,
    controllers: '',
    scheduler: false,
    disableAdmissionPlugins: 'ServiceAccount',
    kubeletPreferredAddressTypes: ['InternalIP'],
    kubeletCertificateAuthority: authorityFile,
    ...options,
  });
  const kubelet = await startFakeKubelet({
    issuer,
    clientAuthority: server.clientConfig.certificateAuthority,
    ...kubeletOptions,
  });
  const { certificateAuthority: ca, token } = server.clientConfig;
  /** Reads all of an answer. */
  const send = (method, path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const sent = { authorization: `Bearer ${token}`, 'content-type': contentType, ...headers };
      const outgoing = request(new URL(path, server.url), { method, ca, headers: sent });
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece) => (text += piece));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
      });
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const must = async (...request) => {
    const { status, text } = await send(...request);
    if (status >= 300) throw new Error(`${request[0]} ${request[1]}: ${status} ${text}`);
  };
  await must('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
  await must('PATCH', '/api/v1/nodes/n/status', {
    status: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } },
    },
  });
  await must('POST', '/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { nodeName: 'n', containers: [{ name: 'c', image: 'example.com/i' }] },
  });
  await must('PATCH', '/api/v1/namespaces/default/pods/p/status', {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  });
  return {
    server,
    kubelet,
    folder,
    send,
    must,
    stop: async () => {
      await kubelet.stop();
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
