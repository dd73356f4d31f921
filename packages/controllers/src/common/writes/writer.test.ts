import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { Indexer } from '@binnacle/client/cache';
import { DynamicClient } from '@binnacle/client/dynamic';
import { ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { ConfigMap } from '@binnacle/client/kinds/core/v1';
import { type ScriptedAnswer, ScriptedTransport } from '@binnacle/client/testing';
import type { TransportRequest } from '@binnacle/client/transport';
import type { TypedObject } from '@binnacle/client/typed';
import { Expectations } from './expectations.js';
import { Writer } from './writer.js';

const configMap = (name: string, uid: string, resourceVersion = '1'): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'sea', uid, resourceVersion },
});

const set: ReplicaSet = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'set', namespace: 'sea', uid: 'set-uid', resourceVersion: '1' },
  status: { replicas: 1 },
};
const owner = configMap('fleet', 'fleet-uid');
const owned = (name: string, uid: string, resourceVersion: string): ConfigMap => {
  const { metadata, ...rest } = configMap(name, uid, resourceVersion);
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'fleet', uid: 'fleet-uid', controller: true };
  return { ...rest, metadata: { ...metadata, ownerReferences: [reference] } };
};

const failure = (code: number, reason: string): ScriptedAnswer => ({
  status: code,
  object: { kind: 'Status', status: 'Failure', code, reason },
});

function writer(answer: (request: TransportRequest) => ScriptedAnswer) {
  const expectations = new Expectations(new VirtualClock());
  const cache = { indexer: new Indexer<TypedObject>(), state: { version: '1' } };
  const client = new DynamicClient(new ScriptedTransport(answer));
  const { signal } = new AbortController();
  const made = new Writer({ client, owner, expectations, cacheOf: () => cache, signal });
  return {
    writer: made,
    cache,
    doubts: () => expectations.doubtsOf(owner),
    isWaiting: () => expectations.remainingWait(owner) > 0,
  };
}

describe('the writer', () => {
  for (const [what, answer, isDoubted] of [
    ['a refusal', failure(403, 'Forbidden'), false],
    ['a conflict', failure(409, 'Conflict'), false],
    ['a failed server', failure(500, 'InternalError'), true],
    ['an unavailable server', failure(503, 'ServiceUnavailable'), true],
    ['a timeout', failure(504, 'Timeout'), true],
    ['a broken connection', new Error('broken'), true],
  ] as const) {
    it(`${isDoubted ? 'doubts' : 'does not doubt'} a write after ${what}`, async () => {
      const { writer: made, doubts } = writer(() => answer);
      await assert.rejects(made.create(ConfigMap, configMap('one', '')));
      assert.equal(doubts().size > 0, isDoubted);
    });
  }

  it('expects what a list shows of a kind in doubt', async () => {
    const list = { apiVersion: 'v1', kind: 'ConfigMapList', metadata: {}, items: [owned('late', 'late-uid', '7')] };
    const {
      writer: made,
      doubts,
      isWaiting,
      cache,
    } = writer(({ method }) => (method === 'GET' ? { object: list } : failure(503, 'ServiceUnavailable')));
    await assert.rejects(made.create(ConfigMap, configMap('late', '')));
    for (const [kind, doubt] of doubts()) await made.confirm(kind, doubt);
    assert.deepEqual([doubts().size, isWaiting()], [0, true]);
    cache.indexer.set(owned('late', 'late-uid', '7'));
    assert.ok(!isWaiting());
  });

  it('expects a deletion in doubt whose object is gone', async () => {
    const list = { apiVersion: 'v1', kind: 'ConfigMapList', metadata: {}, items: [] };
    const {
      writer: made,
      doubts,
      isWaiting,
      cache,
    } = writer(({ method }) => (method === 'GET' ? { object: list } : failure(503, 'ServiceUnavailable')));
    cache.indexer.set(owned('gone', 'gone-uid', '1'));
    await assert.rejects(made.delete(ConfigMap, owned('gone', 'gone-uid', '1')));
    for (const [kind, doubt] of doubts()) await made.confirm(kind, doubt);
    assert.ok(isWaiting());
    cache.indexer.delete('sea/gone');
    assert.ok(!isWaiting());
  });

  it('writes a status only if it differs', async () => {
    const { writer: made } = writer(({ method }) => ({
      object: { ...set, metadata: { ...set.metadata, resourceVersion: method } },
    }));
    assert.equal(await made.changeStatus(ReplicaSet, set, { replicas: 1 }), set);
    const written = await made.changeStatus(ReplicaSet, set, { replicas: 2 });
    assert.equal(written.metadata.resourceVersion, 'PUT');
  });

  for (const [what, present, isGone] of [
    ['an object that was replaced', { object: configMap('one', 'another') }, true],
    ['an object that has gone', failure(404, 'NotFound'), true],
    ['an object whose deletion a webhook denies', { object: configMap('one', 'uid-1') }, false],
  ] as const) {
    it(`meets a conflict over ${what}`, async () => {
      const { writer: made } = writer(({ method }) => (method === 'GET' ? present : failure(409, 'Conflict')));
      const deletion = made.delete(ConfigMap, configMap('one', 'uid-1'));
      if (isGone) assert.equal(await deletion, false);
      else await assert.rejects(deletion);
    });
  }
});
