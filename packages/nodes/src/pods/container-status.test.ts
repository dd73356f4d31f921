import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container } from '@binnacle/client/kinds/core/v1';
import { endedStatus, heldStatus, resourcesOf, startedStatus, unknownEnd, waitingStatus } from './container-status.js';

const container: Container = { name: 'c', image: 'img:1' };
const waiting = waitingStatus(container, 'ContainerCreating');
const [T0, T1, T2] = ['2027-01-04T00:00:00Z', '2027-01-04T00:00:01Z', '2027-01-04T00:00:02Z'];
const at = Date.UTC(2027, 0, 4, 0, 0, 1);
const start = (before = waiting, startedAt = T0, given = container) =>
  startedStatus(given, { uid: 'u', startedAt, before });

describe('the status of a container', () => {
  it('waits, with its mounts', () => {
    const volumeMounts = [
      { name: 'data', mountPath: '/data' },
      { name: 'conf', mountPath: '/conf', readOnly: true },
    ];
    assert.deepEqual(waitingStatus({ name: 'c', volumeMounts }, 'PodInitializing'), {
      name: 'c',
      image: '',
      imageID: '',
      ready: false,
      started: false,
      restartCount: 0,
      state: { waiting: { reason: 'PodInitializing' } },
      lastState: {},
      volumeMounts: [
        { name: 'data', mountPath: '/data' },
        { name: 'conf', mountPath: '/conf', readOnly: true, recursiveReadOnly: 'Disabled' },
      ],
    });
  });

  it('runs, and counts its restarts', () => {
    const first = start();
    assert.deepEqual(
      [first.restartCount, first.state, first.lastState, first.imageID],
      [0, { running: { startedAt: T0 } }, {}, 'img:1'],
    );
    const end = endedStatus(first, { exitCode: 3, at });
    const second = start(end, T2);
    assert.deepEqual([second.restartCount, second.lastState], [1, end.state]);
    assert.match(first.containerID ?? '', /^containerd:\/\/[0-9a-f]{64}$/);
    assert.notEqual(second.containerID, first.containerID);
    assert.equal(start().containerID, first.containerID);
    assert.equal(start(waiting, T0, { name: 'c' }).image, '');
  });

  it('has ended', () => {
    const first = start();
    const { state, ready, started } = endedStatus({ ...first, ready: true }, { exitCode: 0, at });
    const times = { startedAt: T0, finishedAt: T1 };
    const terminated = { exitCode: 0, reason: 'Completed', ...times, containerID: first.containerID };
    assert.deepEqual([state, ready, started], [{ terminated }, false, false]);
    assert.equal(endedStatus(first, { exitCode: 2, at }).state?.terminated?.reason, 'Error');
    const never = endedStatus(waiting, { exitCode: 2, at }).state?.terminated;
    assert.deepEqual(never, { exitCode: 2, reason: 'Error', startedAt: T1, finishedAt: T1 });
    const lost = endedStatus(first, { exitCode: 137, at, reason: 'ContainerStatusUnknown', message: 'm' });
    assert.deepEqual(
      [lost.state?.terminated?.reason, lost.state?.terminated?.message],
      ['ContainerStatusUnknown', 'm'],
    );
  });

  it('is held, and keeps its last end', () => {
    const hold = { reason: 'CreateContainerConfigError', message: 'secret "s" not found' };
    const end = endedStatus(start(), { exitCode: 3, at });
    const held = heldStatus(end, hold);
    assert.deepEqual([held.state, held.lastState], [{ waiting: hold }, end.state]);
    assert.deepEqual(heldStatus(held, hold), held);
    const { lastState: _, ...without } = waiting;
    assert.deepEqual(heldStatus(without, hold), { ...without, state: { waiting: hold } });
  });

  it('is unknown at the end of its pod', () => {
    const terminated = {
      exitCode: 137,
      reason: 'ContainerStatusUnknown',
      message: 'The container could not be located when the pod was terminated',
    };
    assert.deepEqual(unknownEnd({ ...waiting, ready: true, started: true }), { ...waiting, state: { terminated } });
  });

  it('has all the resources that it asks for', () => {
    const [requests, limits] = [{ cpu: '1' }, { cpu: '2' }];
    assert.deepEqual(resourcesOf({ name: 'c' }), { resources: {} });
    assert.deepEqual(resourcesOf({ name: 'c', resources: { limits } }), { resources: { limits } });
    assert.deepEqual(resourcesOf({ name: 'c', resources: { requests, limits } }), {
      resources: { requests, limits },
      allocatedResources: requests,
    });
  });
});
