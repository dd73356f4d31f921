import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { RunningBinnacle } from '../../embed/index.js';
import { announcement } from './announcement.js';

const server: RunningBinnacle = {
  url: 'https://127.0.0.1:6443',
  port: 6443,
  kubeconfig: '',
  kubeconfigFile: "/home/o'neil/kube config",
  clientConfig: { server: '', certificateAuthority: '', clientCertificate: '', clientKey: '', token: '' },
  fork: () => Promise.reject(new Error('not asked for')),
  stop: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
};

it('prints three lines, of which the second can be pasted into a shell', () => {
  assert.equal(
    announcement({ ...server, dataDirectory: '/data' }, 0.256),
    `Serving the Kubernetes API at https://127.0.0.1:6443 (ready in 0.26 s)
export KUBECONFIG='/home/o'\\''neil/kube config'
Data in /data
`,
  );
  assert.match(
    announcement({ ...server, kubeconfigFile: '/data/kubeconfig' }, 1),
    /^export KUBECONFIG=\/data\/kubeconfig$/m,
  );
  assert.match(announcement(server, 1), /^Data in memory/m);
});
