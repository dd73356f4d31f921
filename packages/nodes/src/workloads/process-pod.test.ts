import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import type { Container } from '@binnacle/client/kinds/core/v1';
import { TOKEN_MOUNT } from './mounts.js';
import { PodTrial } from './pod-trial.testing.js';

const c: Container = { name: 'c', image: 'app:1' };
const exec = { command: ['/bin/check'] };
const { signal } = new AbortController();
const mapOf = (text: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm', namespace: 'n' },
  data: { KEY: text },
});

describe('the process of a container', () => {
  it('has the variables of its pod, and those of the service of the cluster', async () => {
    const trial = await PodTrial.open({
      containers: [
        {
          ...c,
          envFrom: [{ configMapRef: { name: 'm' } }],
          env: [{ name: 'OWN', valueFrom: { configMapKeyRef: { name: 'm', key: 'KEY' } } }],
        },
      ],
    });
    await using _ = trial;
    trial.cluster.add('/api/v1/namespaces/n/configmaps', mapOf('value'));
    await trial.look();
    const { KEY, OWN, KUBERNETES_SERVICE_PORT: port, KUBECONFIG: config } = trial.process.spec.environment;
    assert.deepEqual([KEY, OWN, port, config], ['value', 'value', '6443', undefined]);
  });

  it('has a kubeconfig of its account, and its working directory', async () => {
    const sources = [{ serviceAccountToken: { path: 'token' } }];
    await using trial = await PodTrial.running({
      containers: [{ ...c, workingDir: '/work', volumeMounts: [{ name: 'v', mountPath: TOKEN_MOUNT }] }],
      volumes: [{ name: 'v', projected: { sources } }],
      enableServiceLinks: false,
    });
    const { environment, directory } = trial.process.spec;
    const root = environment['BINNACLE_ROOT'] ?? '';
    assert.equal(directory, join(root, 'work'));
    assert.equal(await readFile(join(root, TOKEN_MOUNT, 'token'), 'utf8'), 'token-1');
    const config = await readFile(environment['KUBECONFIG'] ?? '', 'utf8');
    assert.ok(config.includes(join(root, TOKEN_MOUNT, 'token')));
  });

  it('is ready while its readiness probe succeeds', async () => {
    const trial = await PodTrial.open({ containers: [{ ...c, readinessProbe: { exec, failureThreshold: 1 } }] });
    await using _ = trial;
    trial.machine.answer = { code: 1, output: 'not yet' };
    await trial.look();
    assert.deepEqual(trial.states, ['c: runs']);
    await settle();
    assert.ok(trial.events.includes('Unhealthy: Readiness probe failed: not yet'));
    trial.machine.answer = { code: 0 };
    await trial.after(10_000);
    assert.deepEqual([trial.states, trial.machine.command], [['c: runs ready'], ['/bin/check']]);
  });

  it('is restarted when its liveness probe fails for good', async () => {
    await using trial = await PodTrial.running({
      containers: [{ ...c, livenessProbe: { exec, failureThreshold: 2 } }],
    });
    trial.machine.answer = { problem: 'no such program' };
    await trial.after(20_000);
    assert.ok(trial.events.includes('Unhealthy: Liveness probe failed: no such program'));
    assert.ok(trial.events.includes('Killing: Container c failed liveness probe, will be restarted'));
    await trial.look();
    assert.deepEqual([trial.states, trial.machine.started[0]?.end?.exitCode], [['c: runs ready *1'], 143]);
  });

  it('runs commands with its variables until the pod is gone', async () => {
    await using trial = await PodTrial.running();
    const id = trial.pod.status?.containerStatuses?.[0]?.containerID ?? '';
    const found = trial.pods.find(trial.pod, id);
    assert.ok(found !== undefined);
    assert.equal(found.pod.address.startsWith('127.'), true);
    const streams = { stdin: undefined, stdout: async () => undefined, stderr: async () => undefined };
    trial.machine.answer = { code: 4 };
    assert.deepEqual(await found.pod.run(found.run, ['ls'], streams, signal), { code: 4 });
    trial.pods.forget(trial.pod);
    await assert.rejects(found.pod.run(found.run, ['ls'], streams, signal), /the pod is gone/);
  });

  it('reports when its volumes cannot be refreshed', async () => {
    const trial = await PodTrial.running();
    await using _ = trial;
    trial.pod = { ...trial.pod, spec: { containers: [c], volumes: [{ name: 'v', configMap: { name: 'm' } }] } };
    await trial.look();
    await trial.clock.advance(60_000);
    await settle();
    assert.match(trial.reports.join(), /configmap "m" not found/);
  });
});
