import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { processEnvironment } from './process-environment.js';

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'n' },
  spec: { containers: [] },
  status: { podIP: '10.250.0.2', podIPs: [{ ip: '10.250.0.2' }] },
};
const parts = {
  root: '/r',
  kubeconfig: undefined,
  address: '127.250.0.2',
  own: { PATH: '/bin', HOME: '/home/me', AWS_SECRET_ACCESS_KEY: 'x', NODE_OPTIONS: '--x' },
};

it('a process gets only named variables of this one', () => {
  assert.deepEqual(Object.fromEntries(processEnvironment(pod, { name: 'c' }, parts)), {
    PATH: '/bin',
    HOME: '/home/me',
    HOSTNAME: 'p',
    TMPDIR: '/r/tmp',
    BINNACLE_ROOT: '/r',
  });
});

it('a process with a token finds it, the address where it can listen, and local paths', () => {
  const container = {
    name: 'c',
    volumeMounts: [{ name: 'v', mountPath: '/conf' }],
    env: [
      { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      { name: 'CONF', value: '/conf/x' },
      { name: 'TMPDIR', value: '/own' },
    ],
  };
  const variables = processEnvironment(pod, container, { ...parts, kubeconfig: '/k' });
  assert.deepEqual(
    ['KUBECONFIG', 'BINNACLE_SERVICE_ACCOUNT', 'IP', 'CONF', 'TMPDIR'].map((name) => variables.get(name)),
    ['/k', '/r/var/run/secrets/kubernetes.io/serviceaccount', '127.250.0.2', '/r/conf/x', '/own'],
  );
});
