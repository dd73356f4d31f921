import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { printRow, tablePrinter } from './table-printer.js';

const kind = { group: '', version: 'v1', kind: 'Pod' };
const now = Date.UTC(2026, 0, 1, 1, 0, 0);
const created = '2026-01-01T00:00:00Z';

interface PodParts {
  readonly metadata?: JsonObject;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
}

/** The ready, status and restarts cells of a pod. */
function summary({ metadata, spec, status }: PodParts): string {
  const pod: JsonObject = {
    metadata: { name: 'p', creationTimestamp: created, ...metadata },
    spec: { containers: [{ name: 'a' }, { name: 'b' }], ...spec },
    status: { phase: 'Running', ...status },
  };
  return printRow(kind, pod, { now }).slice(1, 4).map(String).join(' | ');
}

const running = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  ready: true,
  state: { running: {} },
  ...more,
});
const waiting = (name: string, reason: string): JsonObject => ({ name, state: { waiting: { reason } } });
const terminated = (name: string, state: JsonObject): JsonObject => ({ name, state: { terminated: state } });
const restarted = (restartCount: number, finishedAt: string): JsonObject => ({
  restartCount,
  lastState: { terminated: { exitCode: 1, finishedAt } },
});
const initialized: JsonObject = { conditions: [{ type: 'Initialized', status: 'True' }] };
const twoInits: JsonObject = { initContainers: [{ name: 'i' }, { name: 'j' }] };
const sidecar: JsonObject = { initContainers: [{ name: 's', restartPolicy: 'Always' }, { name: 'j' }] };

describe('pod printer', () => {
  it('prints a whole row', () => {
    const pod: JsonObject = {
      metadata: { name: 'p', creationTimestamp: created },
      spec: {
        nodeName: 'n',
        containers: [{ name: 'a' }],
        readinessGates: [{ conditionType: 'x' }, { conditionType: 'y' }],
      },
      status: {
        phase: 'Running',
        podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }],
        containerStatuses: [running('a', restarted(3, '2026-01-01T00:55:00Z'))],
        conditions: [
          { type: 'x', status: 'True' },
          { type: 'y', status: 'False' },
        ],
      },
    };
    assert.deepEqual(printRow(kind, pod, { now }), [
      'p',
      '1/1',
      'Running',
      '3 (5m ago)',
      '60m',
      '10.0.0.1',
      'n',
      '<none>',
      '1/2',
    ]);
    assert.equal(tablePrinter(kind).columns.length, 9);
  });

  it('prints an empty object', () => {
    assert.deepEqual(printRow(kind, {}, { now }), [
      '',
      '0/0',
      '',
      '0',
      '<unknown>',
      '<none>',
      '<none>',
      '<none>',
      '<none>',
    ]);
  });

  const cases: readonly (readonly [name: string, parts: PodParts, expected: string])[] = [
    ['pending', { status: { phase: 'Pending' } }, '0/2 | Pending | 0'],
    [
      'gated',
      { status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] } },
      '0/2 | SchedulingGated | 0',
    ],
    ['evicted', { status: { phase: 'Failed', reason: 'Evicted' } }, '0/2 | Evicted | 0'],
    [
      'waiting',
      { status: { containerStatuses: [running('a'), waiting('b', 'CrashLoopBackOff')] } },
      '1/2 | CrashLoopBackOff | 0',
    ],
    [
      'failed without reason',
      { status: { containerStatuses: [terminated('a', { exitCode: 3 })] } },
      '0/2 | ExitCode:3 | 0',
    ],
    [
      'killed',
      { status: { containerStatuses: [terminated('a', { exitCode: 137, signal: 9 })] } },
      '0/2 | Signal:9 | 0',
    ],
    ['first container wins', { status: { containerStatuses: [waiting('a', 'A'), waiting('b', 'B')] } }, '0/2 | A | 0'],
    [
      'partly completed, not ready',
      { status: { containerStatuses: [terminated('a', { reason: 'Completed' }), running('b')] } },
      '1/2 | NotReady | 0',
    ],
    [
      'partly completed, ready',
      {
        status: {
          conditions: [{ type: 'Ready', status: 'True' }],
          containerStatuses: [terminated('a', { reason: 'Completed' }), running('b')],
        },
      },
      '1/2 | Running | 0',
    ],
    [
      'first init container at work',
      { spec: twoInits, status: { initContainerStatuses: [{ name: 'i', state: { running: {} } }] } },
      '0/2 | Init:0/2 | 0',
    ],
    [
      'second init container at work',
      {
        spec: twoInits,
        status: { initContainerStatuses: [terminated('i', { exitCode: 0 }), waiting('j', 'PodInitializing')] },
      },
      '0/2 | Init:1/2 | 0',
    ],
    [
      'init container crashes',
      { spec: twoInits, status: { initContainerStatuses: [waiting('i', 'CrashLoopBackOff')] } },
      '0/2 | Init:CrashLoopBackOff | 0',
    ],
    [
      'init container failed',
      { spec: twoInits, status: { initContainerStatuses: [terminated('i', { exitCode: 2 })] } },
      '0/2 | Init:ExitCode:2 | 0',
    ],
    [
      'init container failed with reason',
      { spec: twoInits, status: { initContainerStatuses: [terminated('i', { exitCode: 1, reason: 'Error' })] } },
      '0/2 | Init:Error | 0',
    ],
    [
      'restarts of init containers count while they run',
      {
        spec: twoInits,
        status: { initContainerStatuses: [{ ...waiting('i', 'E'), ...restarted(2, '2026-01-01T00:59:30Z') }] },
      },
      '0/2 | Init:E | 2 (30s ago)',
    ],
    [
      'and no longer when they are over',
      {
        spec: twoInits,
        status: {
          initContainerStatuses: [{ ...terminated('i', { exitCode: 0 }), ...restarted(2, '2026-01-01T00:59:30Z') }],
          containerStatuses: [running('a', { restartCount: 1 }), running('b')],
        },
      },
      '2/2 | Running | 1',
    ],
    [
      'a sidecar counts as a container, and its restarts',
      {
        spec: sidecar,
        status: {
          initContainerStatuses: [
            running('s', { started: true, ...restarted(4, '2026-01-01T00:59:00Z') }),
            terminated('j', { exitCode: 0 }),
          ],
          containerStatuses: [running('a'), running('b')],
        },
      },
      '3/3 | Running | 4 (60s ago)',
    ],
    [
      'a sidecar that fails later does not hide the containers',
      {
        spec: sidecar,
        status: {
          ...initialized,
          initContainerStatuses: [waiting('s', 'CrashLoopBackOff')],
          containerStatuses: [running('a'), running('b')],
        },
      },
      '2/3 | Init:CrashLoopBackOff | 0',
    ],
    [
      'deleted',
      { metadata: { deletionTimestamp: created }, status: { containerStatuses: [running('a')] } },
      '1/2 | Terminating | 0',
    ],
    [
      'deleted after its end',
      { metadata: { deletionTimestamp: created }, status: { phase: 'Succeeded' } },
      '0/2 | Succeeded | 0',
    ],
    [
      'deleted on a lost node',
      { metadata: { deletionTimestamp: created }, status: { reason: 'NodeLost' } },
      '0/2 | Unknown | 0',
    ],
  ];
  for (const [name, parts, expected] of cases) it(name, () => assert.equal(summary(parts), expected));

  it('marks the rows of finished pods', () => {
    const conditions = (phase: string) => tablePrinter(kind).rowConditions?.({ status: { phase } });
    assert.deepEqual(conditions('Succeeded'), [
      { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' },
    ]);
    assert.deepEqual(conditions('Failed'), [
      { type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' },
    ]);
    assert.deepEqual(conditions('Running'), []);
    assert.deepEqual(conditions('constructor'), []);
  });
});
