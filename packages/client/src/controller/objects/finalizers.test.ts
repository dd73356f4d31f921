import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conflict, notFound } from '@binnacle/apimachinery/status';
import { DynamicClient } from '../../dynamic/index.js';
import { isNotFound } from '../../rest/index.js';
import { VirtualClock, type ScriptedAnswer, ScriptedTransport } from '../../testing/index.js';
import type { ObjectMeta, ResourceType, TypedObject } from '../../typed/index.js';
import { ensureFinalizer, finalize, removeFinalizer } from '../index.js';

const sails: ResourceType = { group: 'ship.example', version: 'v1', kind: 'Sail', plural: 'sails', namespaced: true };
const OURS = 'ship.example/ours';
const sail = (more: ObjectMeta = {}): TypedObject => ({
  apiVersion: 'ship.example/v1',
  kind: 'Sail',
  metadata: { name: 'top', namespace: 'sea', uid: 'u', resourceVersion: '7', ...more },
});
const status = (error: { status: { code?: number } }): ScriptedAnswer => ({
  status: error.status.code ?? 500,
  object: error.status,
});

/** Returns the answers in order. */
function serve(...answers: readonly ScriptedAnswer[]) {
  const pending = [...answers];
  const transport = new ScriptedTransport(() => pending.shift() ?? new Error('no more is to be asked'));
  const sent = () =>
    transport.requests.map(({ method, path, body }) => {
      const text = body === undefined ? '' : Buffer.from(body).toString();
      return `${method} ${path.split('/').slice(-4).join('/')} ${text}`.trim();
    });
  return { client: new DynamicClient(transport).resource(sails), sent };
}

describe('finalizers', () => {
  it('are added to existing ones, with the resourceVersion that was read', async () => {
    const { client, sent } = serve({ object: sail({ finalizers: ['other', OURS], resourceVersion: '8' }) });
    const written = await ensureFinalizer(client, sail({ finalizers: ['other'] }), OURS);
    assert.equal(written.metadata.resourceVersion, '8');
    assert.deepEqual(sent(), [
      'PATCH namespaces/sea/sails/top {"metadata":{"resourceVersion":"7","finalizers":["other","ship.example/ours"]}}',
    ]);
  });

  it('are not written if nothing changes', async () => {
    const { client, sent } = serve();
    const object = sail({ finalizers: [OURS] });
    assert.equal(await ensureFinalizer(client, object, OURS), object);
    assert.equal((await removeFinalizer(client, sail(), OURS))?.metadata.name, 'top');
    assert.deepEqual(sent(), []);
  });

  it('are recomputed from the latest object after a conflict', async () => {
    const { client, sent } = serve(
      status(conflict({ group: 'ship.example', resource: 'sails' }, 'top', 'modified')),
      { object: sail({ finalizers: ['other', OURS], resourceVersion: '9' }) },
      { object: sail({ finalizers: ['other'], resourceVersion: '10' }) },
    );
    const clock = new VirtualClock();
    const removing = removeFinalizer(client, sail({ finalizers: [OURS] }), OURS, { clock });
    await clock.advance(100);
    assert.equal((await removing)?.metadata.resourceVersion, '10');
    assert.deepEqual(sent(), [
      'PATCH namespaces/sea/sails/top {"metadata":{"resourceVersion":"7","finalizers":[]}}',
      'GET namespaces/sea/sails/top',
      'PATCH namespaces/sea/sails/top {"metadata":{"resourceVersion":"9","finalizers":["other"]}}',
    ]);
  });

  it('are not added to a re-created object of the same name', async () => {
    const raced = status(conflict({ group: 'ship.example', resource: 'sails' }, 'top', 'modified'));
    for (const act of [ensureFinalizer, removeFinalizer] as const) {
      const { client, sent } = serve(raced, { object: sail({ uid: 'another', finalizers: ['other', OURS] }) });
      const clock = new VirtualClock();
      const acting = act(client, sail(act === ensureFinalizer ? {} : { finalizers: [OURS] }), OURS, { clock });
      const outcome = acting.catch((error: unknown) => isNotFound(error));
      await clock.advance(100);
      assert.equal(await outcome, act === ensureFinalizer ? true : undefined);
      assert.equal(sent().length, 2);
    }
  });

  it('need no removal from an object that is gone', async () => {
    const { client } = serve(status(notFound({ group: 'ship.example', resource: 'sails' }, 'top')));
    assert.equal(await removeFinalizer(client, sail({ finalizers: [OURS] }), OURS), undefined);
  });

  it('guard an object from creation to clean-up', async () => {
    const deletionTimestamp = '2030-01-01T00:00:00Z';
    const cleaned: string[] = [];
    const cleanUp = async ({ metadata }: TypedObject) => void cleaned.push(metadata.name ?? '');

    const living = serve({ object: sail({ finalizers: [OURS] }) });
    assert.equal((await finalize(living.client, sail(), OURS, cleanUp))?.metadata.finalizers?.[0], OURS);
    assert.deepEqual(cleaned, []);

    const dying = sail({ finalizers: ['other', OURS], deletionTimestamp });
    const failing = serve();
    await assert.rejects(
      finalize(failing.client, dying, OURS, async () => Promise.reject(new Error('stuck'))),
      /stuck/,
    );
    assert.deepEqual(failing.sent(), []);

    const ending = serve({ object: sail({ finalizers: ['other'], deletionTimestamp }) });
    assert.equal(await finalize(ending.client, dying, OURS, cleanUp), undefined);
    assert.deepEqual(cleaned, ['top']);
    assert.match(ending.sent().join(), /"finalizers":\["other"\]/);

    const done = serve();
    const others = sail({ finalizers: ['other'], deletionTimestamp });
    assert.equal(await finalize(done.client, others, OURS, cleanUp), undefined);
    assert.deepEqual(cleaned, ['top']);
  });
});
