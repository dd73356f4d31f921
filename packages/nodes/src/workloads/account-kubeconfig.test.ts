import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accountKubeconfig } from './account-kubeconfig.js';

it('the kubeconfig of a pod leads to the server, with the token and the namespace of the pod', () => {
  const server = { url: 'https://127.0.0.1:6443', certificateAuthority: 'PEM' };
  const text = accountKubeconfig(server, { tokenFile: '/pod/token', namespace: 'n' });
  assert.deepEqual(JSON.parse(text), {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'cluster', cluster: { server: 'https://127.0.0.1:6443', 'certificate-authority-data': 'UEVN' } },
    ],
    users: [{ name: 'account', user: { tokenFile: '/pod/token' } }],
    contexts: [{ name: 'pod', context: { cluster: 'cluster', user: 'account', namespace: 'n' } }],
    'current-context': 'pod',
  });
});
