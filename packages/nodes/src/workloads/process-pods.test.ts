import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import type { Container } from '@binnacle/client/kinds/core/v1';
import { PodTrial } from './pod-trial.testing.js';

const c: Container = { name: 'c', image: 'app:1' };
const never = { restartPolicy: 'Never' } as const;

describe('a pod of processes', () => {
  it('runs the program of its image', async () => {
    await using trial = await PodTrial.running();
    assert.deepEqual(trial.pods.images, ['docker.io/library/app:1']);
    assert.deepEqual(trial.states, ['c: runs ready']);
    assert.deepEqual(trial.process.spec.command, ['/bin/app', '--port', '80']);
    await trial.look();
    assert.equal(trial.machine.started.length, 1);
  });

  const ends: Record<string, [Parameters<typeof PodTrial.running>[0], number, string, string]> = {
    'succeeds with its program': [never, 0, 'c: exit 0', 'Succeeded'],
    'fails with its program': [never, 3, 'c: exit 3', 'Failed'],
    'backs off after a crash': [{}, 1, 'c: CrashLoopBackOff *1', 'Running'],
  };
  for (const [title, [spec, code, state, phase]] of Object.entries(ends)) {
    it(title, async () => {
      await using trial = await PodTrial.running(spec);
      // The first restart is immediate.
      for (const _ of spec === never ? [1] : [1, 2]) {
        trial.process.exit(code);
        await settle();
        assert.equal(trial.hasChanged, true);
        await trial.look();
      }
      assert.deepEqual([trial.states, trial.pod.status?.phase], [[state], phase]);
    });
  }

  it('starts again after the backoff, and keeps the last run only', async () => {
    await using trial = await PodTrial.running();
    const ids: string[] = [];
    for (const wait of [0, 10_000, 20_000]) {
      ids.push(trial.pod.status?.containerStatuses?.[0]?.containerID ?? '');
      trial.process.exit(1);
      await settle();
      await trial.look();
      await trial.after(wait);
    }
    assert.deepEqual([trial.states, trial.machine.started.length], [['c: runs ready *3'], 4]);
    assert.deepEqual(
      ids.map((id) => trial.pods.find(trial.pod, id) !== undefined),
      [false, false, true],
    );
  });

  it('ends in its grace when it is deleted, and is killed after it', async () => {
    for (const isStubborn of [false, true]) {
      await using trial = await PodTrial.running();
      trial.process.isStubborn = isStubborn;
      trial.delete(5);
      await trial.look();
      await trial.after(4999);
      assert.equal(trial.process.end?.exitCode, isStubborn ? undefined : 143);
      assert.equal(await trial.after(1), true);
      assert.equal(trial.process.end?.exitCode, isStubborn ? 137 : 143);
      assert.deepEqual(trial.events.slice(-1), ['Killing: Stopping container c']);
    }
  });

  it('restarts a container whose image has changed', async () => {
    await using trial = await PodTrial.running();
    trial.pod = { ...trial.pod, spec: { containers: [{ ...c, image: 'docker.io/library/app:1' }] } };
    await trial.look();
    assert.ok(trial.events.includes('Killing: Container c definition changed, will be restarted'));
    await trial.look();
    assert.equal(trial.machine.started.length, 2);
  });

  const held: Record<string, [Container, string]> = {
    'without a command for its image': [{ ...c, image: 'other' }, 'c: ErrImageNeverPull'],
    'with a field that processes do not have': [{ ...c, tty: true }, 'c: CreateContainerConfigError'],
  };
  for (const [title, [container, state]] of Object.entries(held)) {
    it(`waits ${title}`, async () => {
      await using trial = await PodTrial.running({ containers: [container] });
      assert.deepEqual([trial.states, trial.machine.started.length], [[state], 0]);
    });
  }

  it('waits for its volumes', async () => {
    await using trial = await PodTrial.running({ volumes: [{ name: 'v', configMap: { name: 'm' } }] });
    assert.deepEqual(trial.states, ['c: ContainerCreating']);
    const problem = 'MountVolume.SetUp failed for volume "v" : configmap "m" not found';
    assert.deepEqual(trial.events, [`FailedMount: ${problem}`]);
    const metadata = { name: 'm', namespace: 'n' };
    trial.cluster.add('/api/v1/namespaces/n/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    await trial.after(5000);
    assert.deepEqual(trial.states, ['c: runs ready']);
  });

  it('refuses a type of volume by its name', async () => {
    await using trial = await PodTrial.running({ volumes: [{ name: 'v', hostPath: { path: '/' } }] });
    assert.match(trial.events.join(), /process nodes have no volumes of type hostPath/);
  });

  it('leaves no process and no file when it is gone, or when the nodes stop', async () => {
    const trial = await PodTrial.running();
    const id = trial.pod.status?.containerStatuses?.[0]?.containerID ?? '';
    const root = trial.pods.find(trial.pod, id)?.run.root ?? '';
    assert.equal(existsSync(root), true);
    trial.pods.forget(trial.pod);
    assert.deepEqual([trial.process.end?.exitCode, trial.pods.find(trial.pod, id)], [143, undefined]);
    await trial.look();
    await trial.pods.close();
    assert.deepEqual([existsSync(root), trial.machine.isClosed, trial.reports], [false, true, []]);
  });
});
