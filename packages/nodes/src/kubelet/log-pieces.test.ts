import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { ContainerState, Pod } from '@binnacle/client/kinds/core/v1';
import { readLogQuery, runOf } from '../logs/index.js';
import { logPieces } from './log-pieces.js';
import { runInMemory } from './processes.testing.js';
import { FIRST, podOn, STARTED } from './simulated-pods.testing.js';

const container = { name: 'c', image: 'img:1' };
const startedAt = '2026-01-01T00:00:00Z';
const ended: ContainerState = {
  terminated: { exitCode: 0, startedAt, finishedAt: '2026-01-01T00:00:30Z', containerID: 'containerd://ticking' },
};

/** A pod that writes a line every ten seconds. */
function ticking(): Pod {
  const pod = podOn('node-0', 'ticking');
  const annotations = { ...pod.metadata.annotations, 'binnacle.dev/log-interval': '10s' };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}

function withStates(pod: Pod, state: ContainerState, lastState: ContainerState = {}): Pod {
  const containerStatuses = (pod.status?.containerStatuses ?? []).map((status) => ({ ...status, state, lastState }));
  return { ...pod, status: { ...pod.status, containerStatuses } };
}

/** A client that reads the log of a pod, five seconds after the start of its container. */
function reader(query: string, first: Pod = ticking()) {
  const clock = new VirtualClock(STARTED + 5000);
  const stop = new AbortController();
  const seen = { text: '', isOver: false, pod: first as Pod | undefined };
  const options = readLogQuery(new URLSearchParams(query), clock.now());
  assert.ok(!('message' in options));
  const run = runOf(first, 'c', options.previous);
  assert.ok(!('problem' in run));
  const pods = { find: () => seen.pod, ofNode: () => [] };
  const over = (async () => {
    for await (const piece of logPieces({ pod: first, container, run }, options, {
      pods,
      clock,
      signal: stop.signal,
    })) {
      seen.text += piece.toString();
    }
    seen.isOver = true;
  })();
  return { clock, stop, seen, over };
}

describe('the pieces of a log', () => {
  it('end with what is written, unless the client follows', async () => {
    const { seen, over } = reader('');
    await over;
    assert.equal(seen.text, `${FIRST}one\n`);
  });

  it('follow each line when it is written', async () => {
    const { clock, seen, stop, over } = reader('follow=true');
    await clock.advance(4999);
    assert.equal(seen.text, `${FIRST}one\n`);
    await clock.advance(1);
    assert.equal(seen.text, `${FIRST}one\ntwo\n`);
    await clock.advance(10_000);
    assert.equal(seen.text, `${FIRST}one\ntwo\none\n`);
    assert.equal(seen.isOver, false);
    stop.abort();
    await over;
  });

  it('end when the container does, with its last lines', async () => {
    const { clock, seen, over } = reader('follow=true&tailLines=0');
    await clock.advance(25_500);
    seen.pod = withStates(ticking(), ended);
    await clock.advance(1000);
    assert.deepEqual([seen.text, seen.isOver], ['two\none\ntwo\n', true]);
    await over;
    assert.equal(clock.waiting, 0);
  });

  it('end with their run when the container starts again', async () => {
    const { clock, seen, over } = reader('follow=true&tailLines=1');
    await clock.advance(26_500);
    seen.pod = withStates(ticking(), { running: { startedAt: '2026-01-01T00:00:31Z' } }, ended);
    await clock.advance(1000);
    assert.deepEqual([seen.text, seen.isOver], ['one\ntwo\none\ntwo\n', true]);
    await over;
  });

  for (const [what, pod] of [
    ['is gone', undefined],
    ['has another of its name in its place', { ...ticking(), metadata: { ...ticking().metadata, uid: 'other' } }],
  ] as const) {
    it(`end within a second after the pod ${what}`, async () => {
      const { clock, seen, over } = reader('follow=true&tailLines=1');
      await clock.advance(100);
      seen.pod = pod;
      await clock.advance(899);
      assert.equal(seen.isOver, false);
      await clock.advance(1);
      assert.deepEqual([seen.text, seen.isOver], ['one\n', true]);
      await over;
    });
  }

  it('end with the bytes that the client asked for', async () => {
    const { clock, seen, over } = reader('follow=true&tailLines=1&limitBytes=6');
    await clock.advance(5000);
    assert.deepEqual([seen.text, seen.isOver], ['one\ntw', true]);
    await over;
  });

  it('end at once when the signal fires', async () => {
    const { clock, seen, stop, over } = reader('follow=true');
    await clock.advance(0);
    stop.abort();
    await over;
    assert.deepEqual([seen.text, clock.waiting], [`${FIRST}one\n`, 0]);
  });
});

describe('the log of a process', () => {
  /** All of it, where this server has run this container. */
  async function read(id: string): Promise<string> {
    const { clock, program, found } = await runInMemory();
    program.stdout.end('written\n');
    program.end(0);
    await clock.advance(1000);
    const processes = {
      has: () => true,
      find: (_: Pod, wanted: string) => (wanted === id ? found : undefined),
      addressOf: () => '127.0.0.1',
    };
    const query = readLogQuery(new URLSearchParams(), clock.now());
    const run = runOf(ticking(), 'c', false);
    assert.ok(!('message' in query) && !('problem' in run));
    const parts = { pods: { find: ticking, ofNode: () => [] }, clock, signal: new AbortController().signal, processes };
    let text = '';
    for await (const bytes of logPieces({ pod: ticking(), container, run }, query, parts)) text += String(bytes);
    return text;
  }

  it('is what its process has written', async () => assert.equal(await read('containerd://ticking'), 'written\n'));

  it('is gone when an earlier server has run it', async () => {
    assert.equal(await read('other'), 'unable to retrieve container logs for containerd://ticking');
  });
});
