import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomOf } from '@binnacle/apimachinery/clock';
import { forbidden, serviceUnavailable, type StatusError } from '@binnacle/apimachinery/status';
import { DynamicClient } from '../dynamic/index.js';
import { FakeStore, VirtualClock, type ScriptedAnswer, ScriptedTransport } from '../testing/index.js';
import { ConnectionError, type TransportRequest } from '../transport/index.js';
import type { TypedObject } from '../typed/index.js';
import { ApiSink, type ApiSinkOptions, EventBroadcaster, type RecordedEvent } from './index.js';

const objectOf = (name: string): TypedObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'shop', uid: `uid-${name}` },
});
const widget = objectOf('web');
const unreachable = new ConnectionError('connecting', 'down');
const refusal = ({ status }: StatusError): ScriptedAnswer => ({ status: status.code ?? 500, object: status });

function setUp(options: ApiSinkOptions = {}) {
  const clock = new VirtualClock();
  const server = new FakeStore();
  const state = { answer: (request: TransportRequest): ScriptedAnswer => server.answer(request) };
  const transport = new ScriptedTransport((request) => state.answer(request));
  const sink = new ApiSink(new DynamicClient(transport), { clock, random: randomOf(() => 0.5), ...options });
  const errors: string[] = [];
  const broadcaster = new EventBroadcaster([sink], { clock, onError: (error) => errors.push(String(error)) });
  const recorder = broadcaster.recorder({ component: 'widgets' });
  /** Records an event and waits until it is written. */
  const record = async (message: string, reason = 'Synced', object = widget) => {
    recorder.event(object, 'Normal', reason, message);
    await clock.advance(0);
  };
  const written = () => (server.all as unknown as RecordedEvent[]).map(({ message, count }) => [message, count]);
  return { clock, server, state, transport, broadcaster, record, written, errors };
}

describe('api sink', () => {
  it('creates an event in the namespace of its object', async () => {
    const { record, server, transport } = setUp();
    await record('ok');
    assert.deepEqual(
      transport.requests.map(({ method, path }) => `${method} ${path}`),
      ['POST /api/v1/namespaces/shop/events'],
    );
    const [event] = server.all;
    assert.equal(event?.['involvedObject'] instanceof Object, true);
  });

  it('counts a repeated event by a patch', async () => {
    const { record, server, transport, clock } = setUp();
    await record('ok');
    await clock.advance(90_000);
    await record('ok');
    await record('ok');
    const patch = transport.requests.at(-1);
    assert.equal(patch?.method, 'PATCH');
    assert.equal(patch?.headers?.['content-type'], 'application/merge-patch+json');
    assert.deepEqual(JSON.parse(patch?.body?.toString() ?? ''), {
      count: 3,
      message: 'ok',
      lastTimestamp: '2027-01-15T08:01:30Z',
    });
    assert.equal(server.all.length, 1);
    const { firstTimestamp, lastTimestamp, count } = server.all[0] as unknown as RecordedEvent;
    assert.deepEqual([firstTimestamp, lastTimestamp, count], ['2027-01-15T08:00:00Z', '2027-01-15T08:01:30Z', 3]);
  });

  it('re-creates a deleted event and continues its count', async () => {
    const { record, server, written, transport } = setUp();
    await record('ok');
    const name = server.all[0]?.metadata.name ?? '';
    assert.equal(server.delete(`/api/v1/namespaces/shop/events/${name}`), true);
    await record('ok');
    assert.deepEqual(written(), [['ok', 2]]);
    assert.equal(server.all[0]?.metadata.name, name);
    assert.deepEqual(
      transport.requests.map(({ method }) => method),
      ['POST', 'PATCH', 'POST'],
    );
  });

  it('combines similar events from the tenth message until ten quiet minutes', async () => {
    const { record, written, clock } = setUp({ rateLimit: { qps: 1, burst: 1000 } });
    for (let index = 1; index <= 12; index++) await record(`failure ${index}`);
    assert.deepEqual(written().slice(8), [
      ['failure 9', 1],
      ['(combined from similar events): failure 12', 3],
    ]);
    await record('failure 3');
    assert.deepEqual(written()[2], ['failure 3', 2]);
    await record('another reason', 'Other');
    assert.equal(written().length, 11);
    await clock.advance(600_000);
    await record('failure 13');
    assert.deepEqual(written()[9], ['(combined from similar events): failure 13', 4]);
    await clock.advance(600_001);
    await record('failure 14');
    assert.deepEqual(written().at(-1), ['failure 14', 1]);
  });

  it('writes 25 events about an object, then one every five minutes, and counts the others', async () => {
    const { record, written, transport, clock } = setUp();
    for (let index = 0; index < 30; index++) await record('ok');
    assert.equal(transport.requests.length, 25);
    assert.deepEqual(written(), [['ok', 25]]);
    await record('ok', 'Synced', objectOf('other'));
    assert.equal(transport.requests.length, 26);
    await clock.advance(299_000);
    await record('ok');
    assert.equal(transport.requests.length, 26);
    await clock.advance(1000);
    await record('ok');
    assert.equal(transport.requests.length, 27);
    assert.deepEqual(written()[0], ['ok', 32]);
  });

  it('keeps the most recently used entries of a full cache', async () => {
    const { record, written } = setUp({ cacheSize: 2 });
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await record('ok', 'Synced', objectOf(name));
    assert.deepEqual(written(), [
      ['ok', 3],
      ['ok', 1],
      ['ok', 1],
      ['ok', 1],
    ]);
  });

  it('retries in order while no server answers', async () => {
    const { state, record, clock, transport, written, errors } = setUp();
    const { answer } = state;
    state.answer = () => unreachable;
    await record('one');
    await record('two');
    assert.equal(clock.untilNext, 5000, 'the first wait is a part of ten seconds');
    await clock.advance(5000);
    assert.equal(clock.untilNext, 10_000);
    state.answer = () => refusal(serviceUnavailable('starting'));
    await clock.advance(10_000);
    assert.equal(transport.requests.length, 3);
    state.answer = answer;
    await clock.advance(10_000);
    assert.deepEqual(written(), [
      ['one', 1],
      ['two', 1],
    ]);
    assert.deepEqual(errors, []);
  });

  it('gives up an event after twelve tries', async () => {
    const { state, record, clock, transport, errors } = setUp();
    state.answer = () => unreachable;
    await record('one');
    await clock.advance(5000 + 10 * 10_000);
    assert.equal(transport.requests.length, 12);
    assert.deepEqual(errors, ['Error: an event was not recorded (Normal Synced Widget shop/web: one): down']);
    await record('two');
    assert.equal(transport.requests.length, 13);
  });

  it('reports refusals without a retry, except for existing events and terminating namespaces', async () => {
    const { state, record, clock, transport, errors, broadcaster } = setUp();
    const events = { group: '', resource: 'events' };
    state.answer = () => refusal(forbidden(events, 'x', 'no'));
    await record('one');
    assert.equal(errors.length, 1);
    assert.match(errors[0] ?? '', /events "x" is forbidden: no/);
    const ending = [{ reason: 'NamespaceTerminating', message: 'shop is being terminated' }];
    state.answer = () => refusal(forbidden(events, 'x', 'no', ending));
    await record('two');
    state.answer = (request) =>
      request.method === 'POST'
        ? { status: 409, object: { kind: 'Status', status: 'Failure', reason: 'AlreadyExists', code: 409 } }
        : unreachable;
    await record('three');
    assert.equal(errors.length, 1);
    assert.equal(transport.requests.length, 3);
    assert.equal(broadcaster.dropped, 1);
    assert.equal(clock.waiting, 0);
  });

  it('ends at a shutdown during a delay', async () => {
    const { state, record, clock, broadcaster } = setUp();
    state.answer = () => unreachable;
    await record('one');
    const ending = broadcaster.shutDown(1000);
    await clock.advance(1000);
    await ending;
    assert.equal(broadcaster.dropped, 1);
    assert.equal(clock.waiting, 0);
  });
});
