import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ContainerState, ContainerStatus, Pod } from '@binnacle/client/kinds/core/v1';
import { containerIdOf, runOf, sameRun, statusOf } from './container-run.js';

const [T0, T1, T2] = ['2027-01-04T00:00:00Z', '2027-01-04T00:00:01Z', '2027-01-04T00:00:02Z'];

function statusWith(name: string, state: ContainerState, lastState: ContainerState = {}): ContainerStatus {
  return { name, image: '', imageID: '', ready: true, restartCount: 0, state, lastState };
}

function podWith(status: Pod['status'], uid = 'u'): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', uid }, status: status ?? {} };
}

const pod = (state: ContainerState, lastState: ContainerState = {}): Pod =>
  podWith({ containerStatuses: [statusWith('c', state, lastState)] });

const terminated = { exitCode: 1, startedAt: T0, finishedAt: T1, containerID: 'containerd://1' };
const firstRun = { startedAt: T0, finishedAt: T1 };
const secondRun = { startedAt: T2, finishedAt: undefined };
const where = 'container "c" in pod "p"';

describe('the run of a container', () => {
  const cases: readonly (readonly [string, Pod, boolean, ReturnType<typeof runOf>])[] = [
    ['that runs', pod({ running: { startedAt: T2 } }), false, secondRun],
    ['that has ended', pod({ terminated }), false, firstRun],
    ['in a backoff', pod({ waiting: { reason: 'CrashLoopBackOff' } }, { terminated }), false, firstRun],
    ['that ended without a run', pod({ terminated: { exitCode: 137 } }), false, { problem: `${where} is terminated` }],
    ['that ended without a run after one', pod({ terminated: { exitCode: 137 } }, { terminated }), false, firstRun],
    ['before', pod({ running: { startedAt: T2 } }, { terminated }), true, firstRun],
    [
      'before the first',
      pod({ running: { startedAt: T2 } }),
      true,
      { problem: `previous terminated ${where} not found` },
    ],
    ['without a state', pod({}), false, { problem: `${where} is waiting to start - no logs yet` }],
    ['without a reason', pod({ waiting: {} }), false, { problem: `${where} is waiting to start: ` }],
    [
      'whose image is missing',
      pod({ waiting: { reason: 'ErrImagePull' } }),
      false,
      { problem: `${where} is waiting to start: image can't be pulled` },
    ],
    [
      'whose image keeps missing',
      pod({ waiting: { reason: 'ImagePullBackOff' } }),
      false,
      { problem: `${where} is waiting to start: trying and failing to pull image` },
    ],
    ['without a status', podWith({}), false, { problem: `${where} is not available` }],
  ];
  for (const [title, given, previous, expected] of cases) {
    it(title, () => assert.deepEqual(runOf(given, 'c', previous), expected));
  }
});

describe('a run that is followed', () => {
  const before = pod({ running: { startedAt: T0 } });
  const run = { startedAt: T0, finishedAt: undefined };
  const cases: readonly (readonly [string, Pod | undefined, ReturnType<typeof sameRun>])[] = [
    ['goes on', before, run],
    ['ends', pod({ terminated }), firstRun],
    ['ends before the next', pod({ running: { startedAt: T2 } }, { terminated }), firstRun],
    [
      'is gone after two more',
      pod({ running: { startedAt: T2 } }, { terminated: { ...terminated, startedAt: T1 } }),
      undefined,
    ],
    ['is gone with its pod', undefined, undefined],
    ['is gone when another pod has the name', podWith(before.status, 'other'), undefined],
  ];
  for (const [title, current, expected] of cases) {
    it(title, () => assert.deepEqual(sameRun(before, current, 'c', run), expected));
  }
});

describe('the ID of the container of a run', () => {
  const running = podWith({
    containerStatuses: [
      { ...statusWith('c', { running: { startedAt: T2 } }, { terminated }), containerID: 'containerd://2' },
    ],
  });
  const cases: readonly (readonly [string, Pod, Parameters<typeof containerIdOf>[2], string])[] = [
    ['that goes on', running, secondRun, 'containerd://2'],
    ['before', running, firstRun, 'containerd://1'],
    ['that has ended', pod({ terminated }), firstRun, 'containerd://1'],
    ['that its pod no longer reports', running, { startedAt: T0, finishedAt: T2 }, ''],
    ['of a pod without statuses', podWith({}), secondRun, ''],
  ];
  for (const [title, given, run, id] of cases) {
    it(title, () => assert.equal(containerIdOf(given, 'c', run), id));
  }
});

it('containers of all sorts have statuses', () => {
  const given = podWith({
    containerStatuses: [statusWith('c', {})],
    initContainerStatuses: [statusWith('i', {})],
    ephemeralContainerStatuses: [statusWith('e', {})],
  });
  assert.deepEqual(
    ['c', 'i', 'e', 'x'].map((name) => statusOf(given, name)?.name),
    ['c', 'i', 'e', undefined],
  );
  assert.equal(statusOf({ apiVersion: 'v1', kind: 'Pod', metadata: {} }, 'c'), undefined);
});
