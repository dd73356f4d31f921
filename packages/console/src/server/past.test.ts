import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ScriptedTransport } from '@binnacle/client/testing';
import { type Batch, Collection, type KindInfo } from '../model/index.js';
import { keepsHistory } from './history-page.js';
import { pastRows, pointOf } from './past.js';
import { recentChanges } from './recent.js';

const kinds: readonly KindInfo[] = ['Pod', 'Secret'].map((kind) => ({
  group: '',
  version: 'v1',
  resource: `${kind.toLowerCase()}s`,
  kind,
  namespaced: true,
  shortNames: [],
}));
const { signal } = new AbortController();
const refusal = (code: number, reason: string) => ({
  status: code,
  object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: `refused: ${reason}` },
});
const pod = (name: string, phase = 'Running') => ({
  metadata: { name, namespace: 'shop', uid: name, resourceVersion: '5' },
  status: { phase },
});

/** A server with two pages of pods, and Secrets that the user may not list. `gone`: a path whose values are forgotten. */
const server = (gone?: string) =>
  new ScriptedTransport(({ path }) => {
    const { pathname, searchParams } = new URL(path, 'https://a');
    if (pathname === gone) return refusal(410, 'Expired');
    if (pathname === '/binnacle/v1/history/api/v1/namespaces') {
      return { object: { items: [], metadata: { resourceVersion: '41' } } };
    }
    if (pathname === '/binnacle/v1/history/api/v1/pods') {
      const time = '2026-01-01T00:00:01Z';
      const items = [
        {
          type: 'MODIFIED',
          resourceVersion: '9',
          time,
          writer: { user: 'jane' },
          object: pod('a'),
          previous: pod('a', 'Pending'),
        },
        { type: 'ADDED', resourceVersion: '8', time, object: pod('a', 'Pending') },
        { type: 'DELETED', resourceVersion: '7', time, object: pod('b'), previous: pod('b') },
        { type: 'MODIFIED', resourceVersion: '6', time: 'unknown', object: pod('c') },
        { type: 'MODIFIED', resourceVersion: '5', time, object: pod('d'), forgotten: ['previous'] },
        { type: 'ADDED', resourceVersion: '4', time, forgotten: ['object'] },
      ];
      return { object: { items, metadata: { resourceVersion: '9' } } };
    }
    if (pathname === '/api/v1/pods') {
      const isSecond = searchParams.get('continue') === 'next';
      if (!isSecond) assert.equal(searchParams.get('resourceVersionMatch'), 'Exact');
      const items = [pod(isSecond ? 'b' : 'a')];
      return { object: { items, metadata: { resourceVersion: '41', continue: isSecond ? '' : 'next' } } };
    }
    return refusal(403, 'Forbidden');
  });

async function collected(batches: AsyncIterable<Batch>): Promise<Collection> {
  const collection = new Collection();
  for await (const batch of batches) collection.apply(batch);
  return collection;
}

describe('the past', () => {
  it('is read by pages at one version, for the kinds that the user may list', async () => {
    const past = await collected(pastRows(server(), kinds, { version: '40' }, signal));
    assert.deepEqual(
      Array.from(past.rows(), ({ name }) => name),
      ['a', 'b'],
    );
    assert.equal(past.complete, '40');
    assert.deepEqual([...past.faults], [[1, 'refused: Forbidden']]);
  });

  it('has the version that was the newest at a time', async () => {
    const transport = server();
    const past = await collected(pastRows(transport, kinds, { time: '2026-01-01T00:00:00Z' }, signal));
    assert.equal(past.complete, '41');
    assert.match(transport.requests[0]?.path ?? '', /until=2026-01-01T00%3A00%3A00Z/);
  });

  it('rejects when the server has forgotten it', async () => {
    const transport = new ScriptedTransport(() => refusal(410, 'Expired'));
    await assert.rejects(collected(pastRows(transport, kinds, { version: '1' }, signal)), /refused: Expired/);
  });

  it('lacks the kinds whose values are forgotten', async () => {
    const past = await collected(pastRows(server('/api/v1/secrets'), kinds, { version: '40' }, signal));
    assert.equal([...past.rows()].length, 2);
    assert.deepEqual([...past.faults], [[1, 'refused: Expired']]);
  });

  it('is at a version or a time, not both', () => {
    const point = (query: string) => pointOf(new URLSearchParams(query));
    assert.deepEqual(point('version=12'), { version: '12' });
    assert.deepEqual(point('time=2026-01-01T00:00:00Z'), { time: '2026-01-01T00:00:00Z' });
    for (const query of [
      '',
      'version=0',
      'version=x',
      'version=-1',
      'time=never',
      'version=1&time=2026-01-01T00:00:00Z',
    ]) {
      assert.equal(point(query), undefined, query);
    }
  });
});

describe('recent changes', () => {
  it('come from the history, with the users who made them', async () => {
    const changes = [];
    for await (const batch of recentChanges(server(), kinds, signal)) changes.push(...(batch.changes ?? []));
    assert.deepEqual(
      changes.map(({ type, name, version, text, by }) => `${version} ${type} ${name} ${text} ${by}`.trim()),
      [
        '5 changed d the values are forgotten',
        '7 gone b Running, 0/0 ready',
        '8 added a Pending',
        '9 changed a Pending → Running, 0/0 ready jane',
      ],
    );
  });

  it('need a server that keeps a history', async () => {
    assert.ok(await keepsHistory(server(), signal));
    assert.ok(!(await keepsHistory(new ScriptedTransport(() => refusal(404, 'NotFound')), signal)));
  });
});
