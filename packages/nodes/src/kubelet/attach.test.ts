import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { attachToLog } from './attach.js';
import { podOn, STARTED } from './simulated-pods.testing.js';

const container = { name: 'c', image: 'img:1' };

/** A client that attaches to the container of a pod. */
function attached(pod: Pod) {
  const clock = new VirtualClock(STARTED + 5000);
  const [gone, stopping] = [new AbortController(), new AbortController()];
  const seen = { text: '', pod: pod as Pod | undefined };
  const streams = {
    stdin: noInput(),
    stdout: async (bytes: Buffer) => void (seen.text += bytes.toString()),
    stderr: async () => assert.fail('a log has one stream'),
    finish: async () => assert.fail('the caller ends the streams'),
    gone: gone.signal,
  };
  const pods = { find: () => seen.pod, ofNode: () => [] };
  const over = attachToLog(pod, container, streams, { pods, clock, signal: stopping.signal });
  over.catch(() => undefined);
  return { clock, gone, stopping, seen, over };
}

async function* noInput(): AsyncGenerator<Buffer> {
  // It has no item.
}

describe('a client that attaches to a log', () => {
  it('gets the last line, and the end of the container', async () => {
    const { clock, seen, over } = attached(podOn('node-0', 'web'));
    await clock.advance(500);
    assert.equal(seen.text, 'two\n');
    seen.pod = undefined;
    await clock.advance(500);
    assert.deepEqual(await over, { code: 0 });
  });

  it('gets the problem of a container that does not run', async () => {
    const { status, ...pod } = podOn('node-0', 'web');
    assert.notEqual(status, undefined);
    assert.deepEqual(await attached(pod).over, { problem: 'container "c" in pod "web" is not available' });
  });

  it('ends when it goes away, or the nodes stop', async () => {
    const leaving = attached(podOn('node-0', 'web'));
    await leaving.clock.advance(0);
    leaving.gone.abort(new Error('the client has gone'));
    await assert.rejects(leaving.over, /^Error: the client has gone$/);
    const stopped = attached(podOn('node-0', 'web'));
    await stopped.clock.advance(0);
    stopped.stopping.abort(new Error('the nodes are stopping'));
    await assert.rejects(stopped.over, /^Error: the nodes are stopping$/);
    assert.equal(stopped.clock.waiting, 0);
  });
});
