import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { EventBatch } from '@binnacle/kv';
import { type StoreEvent, StoreRecorder } from './index.js';

const key = '/registry/configmaps/default/a';
const stored = (label: string): string =>
  JSON.stringify({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a', namespace: 'default', uid: 'u' },
    label,
  });
const put = (revision: number, text: string): EventBatch => ({
  revision,
  events: [{ type: 'put', key, value: Buffer.from(text), createRevision: 2 }],
});

function recorderOf(lines: string[], events: StoreEvent[]): StoreRecorder {
  return new StoreRecorder({
    clock: new VirtualClock(0),
    author: () => undefined,
    admits: () => true,
    onEvent: (event) => events.push(event),
    write: (line) => lines.push(line),
  });
}

describe('StoreRecorder', () => {
  it('writes one line of JSON for each event, and its digest is that of the lines', () => {
    const [lines, events]: [string[], StoreEvent[]] = [[], []];
    const recorder = recorderOf(lines, events);
    recorder.record(put(2, stored('é')));
    recorder.record(put(3, stored('b')));
    recorder.record({ revision: 4, events: [{ type: 'delete', key, createRevision: 2 }] });
    assert.deepEqual(
      events.map(({ type }) => type),
      ['create', 'update', 'delete'],
    );
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { object?: { label: string } }).object?.label),
      ['é', 'b', undefined],
    );
    assert.equal(recorder.digest(), createHash('sha256').update(lines.join('')).digest('hex'));
  });

  it('names the server as the author when an Event expires, whatever request it serves', () => {
    const events: StoreEvent[] = [];
    let resource = 'pods/status';
    const recorder = new StoreRecorder({
      clock: new VirtualClock(0),
      author: () => ({ user: 'kubelet', verb: 'update', resource }),
      admits: () => true,
      onEvent: (event) => events.push(event),
    });
    const remove = (key: string): void => {
      recorder.start(key, Buffer.from(stored('a')));
      recorder.record({ revision: 2, events: [{ type: 'delete', key, createRevision: 2 }] });
    };
    remove('/registry/events/default/a');
    remove('/registry/pods/default/a');
    resource = 'events';
    remove('/registry/events/default/a');
    assert.deepEqual(
      events.map(({ author }) => author?.resource),
      [undefined, 'pods/status', 'events'],
    );
  });

  it('decodes and parses the bytes of an event once', (context) => {
    const recorder = recorderOf([], []);
    const batch = put(2, stored('a'));
    // The way from bytes to text.
    const decodes = context.mock.method(Buffer, 'from');
    const parses = context.mock.method(JSON, 'parse');
    recorder.record(batch);
    assert.deepEqual([decodes.mock.callCount(), parses.mock.callCount()], [1, 1]);
  });
});
