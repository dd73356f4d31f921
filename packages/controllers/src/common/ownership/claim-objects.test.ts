import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DynamicClient } from '@binnacle/client/dynamic';
import { ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { type ScriptedAnswer, ScriptedTransport, VirtualClock } from '@binnacle/client/testing';
import type { Transport } from '@binnacle/client/transport';
import type { ObjectMeta } from '@binnacle/client/typed';
import { Expectations, Writer } from '../writes/index.js';
import { claimObjects } from './claim-objects.js';
import { controllerReference } from './controller-reference.js';

const owner: ReplicaSet = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'fleet', namespace: 'sea', uid: 'fleet-uid' },
};

const pod = (name: string, metadata: ObjectMeta): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'sea', uid: `${name}-uid`, ...metadata },
});
const red = { labels: { red: 'true' } };
const orphan = pod('orphan', red);
const own = pod('own', { ...red, ownerReferences: [controllerReference(owner)] });
const blue = pod('blue', { ownerReferences: [controllerReference(owner)] });

const refusal = (code: number, reason: string): ScriptedAnswer => ({
  status: code,
  object: { kind: 'Status', status: 'Failure', code, reason, message: reason },
});

interface Answers {
  readonly owner?: ObjectMeta;
  /** The answer to patches. Default: the object. */
  readonly patch?: ScriptedAnswer;
}

/** Claims the pods. Returns the names of the objects that the owner has afterwards, the patches, and the number of reads. */
async function claim(candidates: readonly Pod[], answers: Answers = {}, finalizers?: readonly string[]) {
  const patches: unknown[] = [];
  const transport = new ScriptedTransport(({ method, path, body }) => {
    if (method === 'GET') return { object: { ...owner, metadata: { ...owner.metadata, ...answers.owner } } };
    const name = /\/pods\/(\w+)$/.exec(path)?.[1];
    patches.push([name, JSON.parse(String(body))]);
    return answers.patch ?? { object: candidates.find(({ metadata }) => metadata.name === name) };
  });
  const writer = new Writer({
    client: new DynamicClient(transport),
    owner,
    expectations: new Expectations(new VirtualClock()),
    cacheOf: () => undefined,
    signal: new AbortController().signal,
  });
  const claimed = await claimObjects(writer, {
    owner,
    ownerResource: ReplicaSet,
    resource: Pod,
    isSelected: ({ metadata }) => metadata.labels?.['red'] === 'true',
    candidates,
    ...(finalizers === undefined ? {} : { finalizers }),
  });
  const reads = transport.requests.filter(({ method }) => method === 'GET').length;
  return { names: claimed.map(({ metadata }) => metadata.name), patches, reads };
}

describe('claiming objects', () => {
  it('neither reads nor writes for objects that it already owns', async () => {
    assert.deepEqual(await claim([own]), { names: ['own'], patches: [], reads: 0 });
  });

  it('adopts orphans after it has read that the owner exists, and releases objects that no longer match', async () => {
    const { names, patches, reads } = await claim([own, orphan, blue]);
    assert.deepEqual([names, reads], [['own', 'orphan'], 1]);
    assert.deepEqual(patches, [
      ['orphan', { metadata: { uid: 'orphan-uid', ownerReferences: [{ ...controllerReference(owner) }] } }],
      ['blue', { metadata: { uid: 'blue-uid', ownerReferences: [{ $patch: 'delete', uid: 'fleet-uid' }] } }],
    ]);
  });

  it('adopts a hundred orphans at a time, and tries all of them before it fails', async () => {
    const orphans = Array.from({ length: 250 }, (_, index) => pod(`orphan${index}`, red));
    const scripted = new ScriptedTransport(({ method, path }) =>
      method === 'GET' ? { object: owner } : path.endsWith('orphan7') ? refusal(403, 'Forbidden') : { object: orphan },
    );
    let [running, most] = [0, 0];
    const transport: Transport = {
      send: async (...request) => {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running--;
        return scripted.send(...request);
      },
      close: () => scripted.close(),
      [Symbol.asyncDispose]: () => scripted.close(),
    };
    const writer = new Writer({
      client: new DynamicClient(transport),
      owner,
      expectations: new Expectations(new VirtualClock()),
      cacheOf: () => undefined,
      signal: new AbortController().signal,
    });
    const claimed = claimObjects(writer, {
      owner,
      ownerResource: ReplicaSet,
      resource: Pod,
      isSelected: () => true,
      candidates: orphans,
    });
    await assert.rejects(claimed, /Forbidden/);
    assert.deepEqual([most, scripted.requests.length], [100, 251]);
  });

  it('adds finalizers to those it adopts, and removes them from those it releases', async () => {
    const { patches } = await claim([orphan, blue], {}, ['sea/tracking']);
    assert.deepEqual(patches, [
      [
        'orphan',
        {
          metadata: {
            uid: 'orphan-uid',
            ownerReferences: [{ ...controllerReference(owner) }],
            finalizers: ['sea/tracking'],
          },
        },
      ],
      [
        'blue',
        {
          metadata: {
            uid: 'blue-uid',
            ownerReferences: [{ $patch: 'delete', uid: 'fleet-uid' }],
            '$deleteFromPrimitiveList/finalizers': ['sea/tracking'],
          },
        },
      ],
    ]);
  });

  for (const [what, metadata, message] of [
    [
      'was re-created',
      { uid: 'later-uid' },
      'original ReplicaSet sea/fleet is gone: got uid later-uid, wanted fleet-uid',
    ],
    [
      'is being deleted',
      { deletionTimestamp: '2026-01-01T00:00:00Z' },
      'sea/fleet has just been deleted at 2026-01-01T00:00:00Z',
    ],
  ] as const) {
    it(`adopts nothing for an owner that ${what}`, async () => {
      await assert.rejects(claim([orphan], { owner: metadata }), { message });
    });
  }

  for (const [what, code, reason, adopting, releasing] of [
    ['is gone', 404, 'NotFound', 'none', 'none'],
    ['has another uid', 422, 'Invalid', 'rejects', 'none'],
    ['may not be patched', 403, 'Forbidden', 'rejects', 'rejects'],
  ] as const) {
    const outcome = async (given: Pod) => {
      try {
        const { names } = await claim([given], { patch: refusal(code, reason) });
        return names.length === 0 ? 'none' : 'claimed';
      } catch (error) {
        assert.equal(error instanceof Error && error.message, reason);
        return 'rejects';
      }
    };

    it(`an orphan that ${what}: ${adopting}`, async () => assert.equal(await outcome(orphan), adopting));
    it(`an object to release that ${what}: ${releasing}`, async () => assert.equal(await outcome(blue), releasing));
  }
});
