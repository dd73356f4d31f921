import assert from 'node:assert/strict';
import { it } from 'node:test';
import { makeKubeconfig } from './index.js';

it('a kubeconfig is self-contained', () => {
  const text = makeKubeconfig({
    server: 'https://[::1]:6443',
    certificateAuthority: 'authority\n',
    clientCertificate: 'certificate\n',
    clientKey: 'key\n',
  });
  assert.equal(
    text,
    `apiVersion: v1
kind: Config
clusters:
- name: binnacle
  cluster:
    server: "https://[::1]:6443"
    certificate-authority-data: ${btoa('authority\n')}
users:
- name: kubernetes-admin
  user:
    client-certificate-data: ${btoa('certificate\n')}
    client-key-data: ${btoa('key\n')}
contexts:
- name: kubernetes-admin@binnacle
  context:
    cluster: binnacle
    user: kubernetes-admin
current-context: kubernetes-admin@binnacle
`,
  );
});
