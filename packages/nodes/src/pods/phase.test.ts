import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ContainerStatus, PodSpec } from '@binnacle/client/kinds/core/v1';
import { type Phase, phaseOf } from './phase.js';

const terminated = (exitCode: number) => ({ terminated: { exitCode } });
/** A state that a status can have, with a short name. */
const STATES: Readonly<Record<string, Partial<ContainerStatus>>> = {
  runs: { state: { running: {} } },
  started: { state: { running: {} }, started: true },
  waits: { state: { waiting: {} } },
  blank: { state: {} },
  done: { state: terminated(0) },
  failed: { state: terminated(1) },
  backoff: { state: { waiting: {} }, lastState: terminated(1) },
};

const statusOf = (name: string, state: string): ContainerStatus => {
  return { name, image: '', imageID: '', ready: false, restartCount: 0, ...STATES[state] };
};

const SIDECAR = { initContainers: [{ name: 's', restartPolicy: 'Always' }] };
const INIT = { initContainers: [{ name: 'i' }] };

describe('the phase of a pod', () => {
  const cases: readonly (readonly [string, Partial<PodSpec>, Record<string, string>, Phase, boolean?])[] = [
    ['without statuses', {}, {}, 'Pending'],
    ['whose container waits', {}, { c: 'waits' }, 'Pending'],
    ['whose state is empty', {}, { c: 'blank' }, 'Pending'],
    ['that runs', {}, { c: 'runs' }, 'Running'],
    ['whose container will restart', {}, { c: 'done' }, 'Running'],
    ['whose container backs off', {}, { c: 'backoff' }, 'Running'],
    ['that is ending with success', {}, { c: 'done' }, 'Succeeded', true],
    ['that is ending with failure', {}, { c: 'failed' }, 'Failed', true],
    ['that never restarts, after success', { restartPolicy: 'Never' }, { c: 'done' }, 'Succeeded'],
    ['that never restarts, after failure', { restartPolicy: 'Never' }, { c: 'failed' }, 'Failed'],
    ['that restarts on failure, after success', { restartPolicy: 'OnFailure' }, { c: 'done' }, 'Succeeded'],
    ['whose init container runs', INIT, { i: 'runs', c: 'waits' }, 'Pending'],
    ['whose init container is done', INIT, { i: 'done', c: 'runs' }, 'Running'],
    ['whose init container will restart', INIT, { i: 'failed', c: 'waits' }, 'Pending'],
    ['whose init container failed', { ...INIT, restartPolicy: 'Never' }, { i: 'failed', c: 'waits' }, 'Failed'],
    ['whose sidecar starts', SIDECAR, { s: 'runs', c: 'waits' }, 'Pending'],
    ['whose sidecar is missing', SIDECAR, {}, 'Pending'],
    ['whose sidecar has started', SIDECAR, { s: 'started', c: 'runs' }, 'Running'],
    ['whose sidecar starts again', SIDECAR, { s: 'backoff', c: 'runs' }, 'Running'],
    ['whose sidecar runs on', { ...SIDECAR, restartPolicy: 'Never' }, { s: 'started', c: 'done' }, 'Running'],
    ['whose sidecar ended last', { ...SIDECAR, restartPolicy: 'Never' }, { s: 'failed', c: 'done' }, 'Succeeded'],
  ];
  for (const [title, spec, states, expected, isEnding = false] of cases) {
    it(`${title} is ${expected}`, () => {
      const statuses = new Map(Object.entries(states).map(([name, state]) => [name, statusOf(name, state)]));
      assert.equal(phaseOf({ containers: [{ name: 'c' }], ...spec }, statuses, isEnding), expected);
    });
  }
});
