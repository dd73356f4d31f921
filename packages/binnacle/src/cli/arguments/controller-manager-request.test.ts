import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCommandLine } from './command-line.js';
import { textOf } from './text-of.testing.js';

it('controller-manager takes a kubeconfig and the loops to run', () => {
  const parse = (...args: string[]) => parseCommandLine(['controller-manager', ...args]);
  assert.deepEqual(parse(), { command: 'controller-manager', request: { controllers: '*', leaderElect: true } });
  assert.deepEqual(
    parse('--kubeconfig=a', '--controllers=*,-namespace', '--leader-elect=false', '--root-ca-file', 'b'),
    {
      command: 'controller-manager',
      request: { kubeconfig: 'a', controllers: '*,-namespace', leaderElect: false, rootCaFile: 'b' },
    },
  );
  assert.deepEqual(parse('--cluster-signing-cert-file=a', '--service-account-private-key-file=b'), {
    command: 'controller-manager',
    request: {
      controllers: '*',
      leaderElect: true,
      serviceAccountPrivateKeyFile: 'b',
      settings: { clusterSigningCertFile: 'a' },
    },
  });
  assert.deepEqual(parse('--node-monitor-grace-period=20s'), {
    command: 'controller-manager',
    request: { controllers: '*', leaderElect: true, settings: { nodeMonitorGracePeriodMs: 20_000 } },
  });
  assert.deepEqual(parse('--kube-api-qps=2.5', '--kube-api-burst=30'), {
    command: 'controller-manager',
    request: { controllers: '*', leaderElect: true, settings: { kubeApiQps: 2.5, kubeApiBurst: 30 } },
  });
  assert.match(textOf('controller-manager', '--kube-api-qps=0'), /not a rate: give a number, 1 or more/);
  assert.deepEqual(parse('--healthz-bind-address=[::1]:10257'), {
    command: 'controller-manager',
    request: { controllers: '*', leaderElect: true, healthAddress: { host: '::1', port: 10257 } },
  });
  assert.deepEqual(parse('--use-service-account-credentials'), {
    command: 'controller-manager',
    request: { controllers: '*', leaderElect: true, useServiceAccountCredentials: true },
  });
  for (const wrong of ['10257', ':10257', '127.0.0.1:70000', '::1:10257', '[127.0.0.1]:1', 'localhost:1']) {
    assert.match(textOf('controller-manager', '--healthz-bind-address', wrong), /not an address: give IP:PORT/);
  }
  assert.match(textOf('serve', '--node-eviction-rate=-1'), /"-1" is not a number: give 0 or more, such as 0.1/);
  assert.match(textOf('serve', '--unhealthy-zone-threshold=1.5'), /"1.5" is not a share: give a number from 0 to 1/);
  assert.match(textOf('serve', '--terminated-pod-gc-threshold=1.5'), /"1.5" is not a number: give 0 or more/);
  assert.match(textOf('controller-manager', '--leader-elect=maybe'), /neither true nor false; see .*-manager --help/);
  assert.match(textOf('controller-manager', '--kubeconfig='), /^wrong: binnacle: FILE is empty/);
  assert.match(textOf('controller-manager', 'more'), /too many arguments/);
  assert.match(textOf('controller-manager', '--help'), /^help: Usage: binnacle controller-manager/);
});
