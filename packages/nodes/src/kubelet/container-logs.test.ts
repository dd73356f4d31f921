import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { MemoryKubelet } from './memory-kubelet.testing.js';
import { FIRST, podOn } from './simulated-pods.testing.js';

function kubelet(): MemoryKubelet {
  const made = new MemoryKubelet(['node-0']);
  made.pods.push(podOn('node-0', 'web'), podOn('node-1', 'db'));
  return made;
}

describe('the page of a log', () => {
  const answers: Record<string, readonly [number, string]> = {
    'web/c': [200, `${FIRST}one\ntwo\n`],
    'web/c?tailLines=1': [200, 'two\n'],
    'web/c?tailLines=1&timestamps=true': [200, '2026-01-01T00:00:00.000000000Z two\n'],
    'web/c?limitBytes=4': [200, 'This'],
    'web/c?sinceSeconds=1': [200, ''],
    'web/c?tailLines=x': [400, '{"message": "Unable to decode query."}'],
    'web/c?limitBytes=0': [422, '{"message": "Invalid request."}'],
    'web/c?previous=true': [400, 'previous terminated container "c" in pod "web" not found'],
    'web/d': [404, 'container "d" not found in pod "web"'],
    'none/c': [404, 'pod "none" does not exist'],
    'db/c': [404, 'pod "db" does not exist'],
  };
  for (const [path, expected] of Object.entries(answers)) {
    it(`answers ${path}`, async () => {
      const made = kubelet();
      assert.deepEqual(await made.call(`/containerLogs/n/${path}`), expected);
      assert.deepEqual(made.reports, []);
    });
  }

  it('has the log of the run before', async () => {
    const made = new MemoryKubelet(['node-0']);
    const pod = podOn('node-0', 'web');
    const terminated = {
      exitCode: 1,
      startedAt: '2026-01-01T00:00:00Z',
      finishedAt: '2026-01-01T00:00:02Z',
      containerID: 'containerd://before',
    };
    const containerStatuses = (pod.status?.containerStatuses ?? []).map((status) => ({
      ...status,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated },
    }));
    made.pods.push({ ...pod, status: { ...pod.status, containerStatuses } });
    assert.deepEqual(await made.call('/containerLogs/n/web/c?previous=true&tailLines=1'), [200, 'two\n']);
  });

  it('waits for a client that reads slowly', async () => {
    const made = new MemoryKubelet(['node-0']);
    const lines = 'a line\n'.repeat(100_000);
    const pod = podOn('node-0', 'web');
    made.pods.push({ ...pod, metadata: { ...pod.metadata, annotations: { 'binnacle.dev/logs': lines } } });
    const answer = await made.send('/containerLogs/n/web/c');
    await made.clock.advance(0);
    assert.ok(answer.readableLength < 200_000, `${answer.readableLength} bytes wait for the client`);
    assert.equal(await text(answer), `${FIRST}${lines}`);
  });

  it('goes on until the container ends', async () => {
    const made = kubelet();
    const answer = await made.send('/containerLogs/n/web/c?follow=true');
    assert.equal(answer.headers['content-type'], 'text/plain');
    const whole = text(answer);
    await made.clock.advance(0);
    made.pods.length = 0;
    await made.clock.advance(1000);
    assert.equal(await whole, `${FIRST}one\ntwo\n`);
  });

  it('ends when the nodes stop, and when the client goes', async () => {
    const made = kubelet();
    const followed = text(await made.send('/containerLogs/n/web/c?follow=true&tailLines=1'));
    const left = await made.send('/containerLogs/n/web/c?follow=true&tailLines=1');
    left.on('error', () => undefined);
    await once(left, 'data');
    await made.clock.advance(0);
    assert.equal(made.clock.waiting, 2);
    left.destroy();
    await made.clock.advance(0);
    assert.equal(made.clock.waiting, 1);
    made.stopping.abort(new Error('the nodes are stopping'));
    assert.equal(await followed, 'two\n');
    assert.equal(made.clock.waiting, 0);
    assert.deepEqual(made.reports, []);
  });
});
