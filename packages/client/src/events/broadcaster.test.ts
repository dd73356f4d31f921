import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomOf } from '@binnacle/apimachinery/clock';
import { VirtualClock, RecordedEvents, settle } from '../testing/index.js';
import type { TypedObject } from '../typed/index.js';
import { EventBroadcaster, type EventSink, LogSink, type RecordedEvent } from './index.js';

const widget: TypedObject = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '7', labels: { a: 'b' } },
};

const setUp = (sinks: readonly EventSink[], capacity = 1000) => {
  const clock = new VirtualClock();
  const errors: string[] = [];
  const broadcaster = new EventBroadcaster(sinks, {
    clock,
    capacity,
    random: randomOf(() => 0.25),
    onError: (error) => errors.push(String(error)),
  });
  return { clock, errors, broadcaster, recorder: broadcaster.recorder({ component: 'widgets', host: 'node-1' }) };
};

/** A sink that records only when the test allows it. */
class SlowSink implements EventSink {
  readonly begun: RecordedEvent[] = [];
  #release: () => void = () => undefined;
  #signal: AbortSignal | undefined;

  record(event: RecordedEvent, signal: AbortSignal): Promise<void> {
    this.begun.push(event);
    this.#signal = signal;
    return new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  get isToldToEnd(): boolean {
    return this.#signal?.aborted === true;
  }

  async release(): Promise<void> {
    this.#release();
    await settle();
  }
}

describe('event broadcaster', () => {
  it('creates an event about an object of any kind', async () => {
    const recorded = new RecordedEvents();
    const { broadcaster, recorder } = setUp([recorded]);
    recorder.event(widget, 'Warning', 'Broken', 'it does not turn', { annotations: { trace: 't1' } });
    await broadcaster.flush();
    assert.deepEqual(recorded.events, [
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'web.18fae27693b7d090', namespace: 'shop', annotations: { trace: 't1' } },
        involvedObject: {
          apiVersion: 'example.com/v1',
          kind: 'Widget',
          namespace: 'shop',
          name: 'web',
          uid: 'u1',
          resourceVersion: '7',
        },
        type: 'Warning',
        reason: 'Broken',
        message: 'it does not turn',
        source: { component: 'widgets', host: 'node-1' },
        reportingComponent: 'widgets',
        reportingInstance: 'node-1',
        firstTimestamp: '2027-01-15T08:00:00Z',
        lastTimestamp: '2027-01-15T08:00:00Z',
        count: 1,
      },
    ]);
  });

  it('accepts references, cluster-scoped objects, and names that are not valid for events', async () => {
    const recorded = new RecordedEvents();
    const { broadcaster, recorder } = setUp([recorded]);
    const fieldPath = 'spec.containers{web}';
    recorder.event(
      { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web-0', fieldPath },
      'Normal',
      'Pulled',
      'ok',
    );
    recorder.event({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } }, 'Normal', 'Ready', 'ok');
    recorder.event({ apiVersion: 'v1', kind: 'ClusterRole', metadata: { name: 'system:x' } }, 'Normal', 'Bound', 'ok');
    await broadcaster.flush();
    const [pod, node, role] = recorded.events;
    assert.equal(pod?.involvedObject.fieldPath, fieldPath);
    assert.deepEqual([node?.metadata.namespace, node?.involvedObject.namespace], ['default', undefined]);
    assert.match(role?.metadata.name ?? '', /^[0-9a-f]{8}-/);
    assert.deepEqual(recorded.lines, [
      'Normal Pulled Pod shop/web-0: ok',
      'Normal Ready Node node-1: ok',
      'Normal Bound ClusterRole system:x: ok',
    ]);
  });

  it('gives events of one millisecond different names', async () => {
    const recorded = new RecordedEvents();
    const { broadcaster, recorder, clock } = setUp([recorded]);
    for (let index = 0; index < 3; index++) recorder.event(widget, 'Normal', 'Synced', 'ok');
    await clock.advance(1);
    recorder.event(widget, 'Normal', 'Synced', 'ok');
    await broadcaster.flush();
    assert.equal(new Set(recorded.events.map(({ metadata }) => metadata.name)).size, 4);
  });

  it('reports an object without a kind and does not throw', async () => {
    const recorded = new RecordedEvents();
    const { broadcaster, recorder, errors } = setUp([recorded]);
    recorder.event({ apiVersion: '', kind: '', metadata: { name: 'x' } }, 'Normal', 'Synced', 'ok');
    recorder.event({ apiVersion: 'v1', kind: 'Pod', metadata: {} }, 'Normal', 'Synced', 'ok');
    await broadcaster.flush();
    assert.deepEqual(recorded.events, []);
    assert.equal(errors.length, 2);
    assert.match(errors[0] ?? '', /must be about an object that has a kind, an apiVersion and a name/);
  });

  it('passes every event to every sink in order', async () => {
    const recorded = new RecordedEvents();
    const lines: string[] = [];
    const failing: EventSink = {
      record: () => {
        throw new Error('full disk');
      },
    };
    const slow = new SlowSink();
    const { broadcaster, recorder, errors } = setUp([failing, slow, recorded, new LogSink((line) => lines.push(line))]);
    recorder.event(widget, 'Normal', 'One', 'first');
    recorder.event(widget, 'Normal', 'Two', 'second');
    assert.deepEqual(recorded.lines, [], 'recording does not wait for the sink');
    await settle();
    assert.deepEqual(recorded.lines, ['Normal One Widget shop/web: first', 'Normal Two Widget shop/web: second']);
    assert.deepEqual(lines, recorded.lines);
    assert.equal(slow.begun.length, 1);
    await slow.release();
    assert.equal(slow.begun.length, 2);
    await slow.release();
    assert.deepEqual(errors, [
      'Error: an event was not recorded (Normal One Widget shop/web: first): full disk',
      'Error: an event was not recorded (Normal Two Widget shop/web: second): full disk',
    ]);
    assert.equal(broadcaster.dropped, 2);
  });

  it('reports drops again only after its queue was half empty', async () => {
    const slow = new SlowSink();
    const { broadcaster, recorder, errors } = setUp([slow], 3);
    const record = (count: number): void => {
      for (let left = count; left > 0; left--) recorder.event(widget, 'Normal', 'Any', '');
    };
    record(1);
    await settle();
    record(5);
    await slow.release();
    record(2);
    assert.deepEqual([broadcaster.dropped, errors.length], [3, 1]);
    for (let left = 3; left > 0; left--) await slow.release();
    record(5);
    assert.deepEqual([broadcaster.dropped, errors.length], [5, 2]);
  });

  it('drops and counts events beyond its capacity', async () => {
    const slow = new SlowSink();
    const { broadcaster, recorder, errors } = setUp([slow], 2);
    recorder.event(widget, 'Normal', 'One', '');
    await settle();
    for (const reason of ['Two', 'Three', 'Four', 'Five']) recorder.event(widget, 'Normal', reason, '');
    assert.equal(broadcaster.dropped, 2);
    assert.deepEqual(errors, ['Error: 2 events are waiting to be recorded; further ones are dropped']);
    for (let index = 0; index < 3; index++) await slow.release();
    assert.deepEqual(
      slow.begun.map(({ reason }) => reason),
      ['One', 'Two', 'Three'],
    );
    await broadcaster.flush();
  });

  it('shuts down when all events are recorded, or after its time', async () => {
    const quick = new RecordedEvents();
    const done = setUp([quick]);
    done.recorder.event(widget, 'Normal', 'One', '');
    await done.broadcaster.shutDown();
    assert.equal(quick.events.length, 1);
    assert.equal(done.clock.waiting, 0);
    done.recorder.event(widget, 'Normal', 'Two', '');
    await settle();
    assert.equal(quick.events.length, 1);
    assert.equal(done.broadcaster.dropped, 1);

    const slow = new SlowSink();
    const { broadcaster, recorder, clock } = setUp([slow]);
    for (const reason of ['One', 'Two', 'Three']) recorder.event(widget, 'Normal', reason, '');
    let hasEnded = false;
    const ending = broadcaster.shutDown(3000).then(() => {
      hasEnded = true;
    });
    await clock.advance(1000);
    await slow.release();
    await clock.advance(1999);
    assert.equal(hasEnded, false);
    assert.equal(slow.isToldToEnd, false);
    await clock.advance(1);
    await ending;
    assert.equal(slow.isToldToEnd, true);
    assert.equal(broadcaster.dropped, 2);
    assert.equal(slow.begun.length, 2);
    await broadcaster.shutDown();
  });

  it('survives an onError that throws', async (context) => {
    const warn = context.mock.method(process, 'emitWarning', () => undefined);
    const broadcaster = new EventBroadcaster([], {
      onError: () => {
        throw new Error('the listener is broken');
      },
    });
    broadcaster.recorder({ component: 'c' }).event({ kind: '', name: '' }, 'Normal', 'One', '');
    assert.match(String(warn.mock.calls[0]?.arguments[0]), /the listener is broken/);
    assert.equal(warn.mock.callCount(), 1);
  });
});
