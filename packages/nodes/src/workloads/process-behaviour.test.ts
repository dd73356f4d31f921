import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, ContainerStatus, Pod } from '@binnacle/client/kinds/core/v1';
import { type KnownRun, processBehaviour } from './process-behaviour.js';

const NOW = Date.UTC(2027, 0, 4);
const running: ContainerStatus = {
  name: 'c',
  image: 'img',
  imageID: 'img',
  ready: true,
  restartCount: 0,
  containerID: 'id',
  state: { running: { startedAt: '2027-01-04T00:00:00Z' } },
};
const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', terminationMessagePolicy: 'FallbackToLogsOnError' }] },
  status: { containerStatuses: [running] },
};
const run = (end?: KnownRun['end']): KnownRun => ({ end, startedAt: NOW, readyAt: Infinity, lastOutput: 'oops' });
const behaviour = (known?: KnownRun) => processBehaviour(pod, (id) => (id === 'id' ? known : undefined));
const fresh: ContainerStatus = { ...running, containerID: 'next' };
const container = (probes: Partial<Container> = {}): Container => ({ name: 'c', ...probes });

describe('the behaviour of processes', () => {
  it('is what their probes have found', () => {
    const facts = behaviour(run()).factsOf(container(), 'regular', running, NOW);
    assert.deepEqual(facts, { startedAt: NOW, readyAt: Infinity, unreadyAt: Infinity, end: undefined });
  });

  it('is expected of a process that is about to start', () => {
    const ready = (probes: Partial<Container>) => {
      const { startedAt, readyAt, end } = behaviour().factsOf(container(probes), 'regular', fresh, NOW);
      return [startedAt, readyAt, end];
    };
    assert.deepEqual(ready({}), [NOW, NOW, undefined]);
    assert.deepEqual(ready({ readinessProbe: {} }), [NOW, Infinity, undefined]);
    assert.deepEqual(ready({ startupProbe: {} }), [Infinity, Infinity, undefined]);
    assert.deepEqual(ready({ lifecycle: { postStart: {} } }), [Infinity, Infinity, undefined]);
  });

  it('has the ends of processes, with their last output where the container asks for it', () => {
    const end = (how: KnownRun['end']) => behaviour(run(how)).endOf(running, NOW + 5);
    assert.equal(end(undefined), undefined);
    assert.deepEqual(end({ exitCode: 0, at: NOW }), { exitCode: 0, at: NOW });
    assert.deepEqual(end({ exitCode: 2, at: NOW }), { exitCode: 2, at: NOW, message: 'oops' });
    assert.deepEqual(end({ exitCode: 128, at: NOW, problem: 'no file' }), {
      exitCode: 128,
      at: NOW,
      reason: 'StartError',
      message: 'no file',
    });
  });

  it('treats a process that an earlier server started as lost', () => {
    const { end } = behaviour().factsOf(container(), 'regular', running, NOW);
    assert.deepEqual([end?.exitCode, end?.reason], [137, 'ContainerStatusUnknown']);
    assert.equal(behaviour().endOf(running, NOW)?.reason, 'ContainerStatusUnknown');
    assert.deepEqual(behaviour().endOf(fresh, NOW), { exitCode: 0, at: NOW });
  });
});
