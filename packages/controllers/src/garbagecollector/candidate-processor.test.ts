import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectMeta } from '@binnacle/client/typed';
import { CandidateProcessor } from './candidate-processor.js';
import { DependencyGraph } from './graph.js';
import type { Identity } from './identity.js';
import type { LiveObjects } from './live-objects.js';
import { UnservedKindError } from './served-kinds.js';

const identity = (name: string, kind = 'Pod', namespace = 'shop'): Identity => ({
  apiVersion: 'v1',
  kind,
  namespace,
  name,
  uid: `uid-${name}`,
});
const owns = ({ apiVersion, kind, name, uid }: Identity) => ({
  ownerReferences: [{ apiVersion, kind, name, uid, blockOwnerDeletion: true }],
});
const { signal } = new AbortController();
const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] };

/** A server with these objects, by uid, that records gets and writes. `Thing` is not served; `Node` is cluster-scoped. */
function setUp(objects: Readonly<Record<string, ObjectMeta>>, onGet: (identity: Identity) => void = () => undefined) {
  const done: string[] = [];
  const asked: string[] = [];
  const record = (verb: string) => async (on: Identity) => void done.push(`${verb} ${on.name}`);
  const live: LiveObjects = {
    get: async (on) => {
      asked.push(on.name);
      onGet(on);
      return objects[on.uid];
    },
    locate: (identity) => {
      if (identity.kind === 'Thing') throw new UnservedKindError('Thing');
      if (identity.kind === 'Node') return { ...identity, namespace: '' };
      return identity.namespace === '' ? undefined : identity;
    },
    delete: record('delete'),
    rewriteOwners: record('rewrite'),
    removeFinalizer: record('removeFinalizer'),
  };
  const graph = new DependencyGraph();
  const candidates: string[] = [];
  const processor = new CandidateProcessor(graph, live, (effects) => candidates.push(...effects.candidates));
  return { graph, processor, done, asked, candidates };
}

describe('candidate processor', () => {
  const [owner, child] = [identity('owner'), identity('child')];

  it('sends no request while all owners exist', async () => {
    const { graph, processor, asked } = setUp({});
    graph.observe(owner, {});
    graph.observe(child, owns(owner));
    for (const uid of [owner.uid, child.uid, 'unknown']) assert.equal(await processor.process(uid, signal), false);
    assert.deepEqual(asked, []);
  });

  it('removes a finalizer only if no blocking dependent has appeared in between', async () => {
    for (const [late, expected] of [
      [false, ['removeFinalizer owner']],
      [true, []],
    ] as const) {
      const { graph, processor, done } = setUp({ [owner.uid]: deleted }, () => {
        if (late) graph.observe(child, owns(owner));
      });
      graph.observe(owner, deleted);
      await processor.process(owner.uid, signal);
      assert.deepEqual(done, expected);
    }
  });

  it('processes an existing owner again until a watch shows it', async () => {
    const { graph, processor, candidates } = setUp({ [owner.uid]: {} });
    graph.observe(child, owns(owner));
    assert.equal(await processor.process(owner.uid, signal), true);
    assert.deepEqual(candidates, []);
    graph.observe(owner, {});
    assert.equal(await processor.process(owner.uid, signal), false);
  });

  it('asks once for an absent owner of many dependents', async () => {
    const { graph, processor, asked, done, candidates } = setUp({ 'uid-a': owns(owner), 'uid-b': owns(owner) });
    for (const name of ['a', 'b']) graph.observe(identity(name), owns(owner));
    assert.equal(await processor.process(owner.uid, signal), false);
    assert.deepEqual(candidates, ['uid-a', 'uid-b']);
    for (const uid of candidates) await processor.process(uid, signal);
    assert.deepEqual(done, ['delete a', 'delete b']);
    assert.deepEqual(asked, ['owner', 'a', 'b']);
  });

  it('trusts the owners on the server, not those in the graph', async () => {
    const { graph, processor, done } = setUp({ [child.uid]: {} });
    graph.observe(owner, {});
    graph.observe(child, owns(owner));
    graph.remove(owner);
    await processor.process(child.uid, signal);
    assert.deepEqual(done, []);
  });

  it('keeps a cluster-scoped object that names a namespaced owner', async () => {
    const volume = identity('volume', 'Volume', '');
    const { graph, processor, asked, done } = setUp({ [volume.uid]: owns(owner) });
    graph.observe(volume, owns(owner));
    assert.equal(await processor.process(owner.uid, signal), false);
    graph.observe(owner, {});
    assert.equal(await processor.process(volume.uid, signal), false);
    assert.deepEqual([asked, done], [['volume'], []]);
  });

  it('keeps an object while the kind of an owner is not served', async () => {
    const thing = identity('thing', 'Thing');
    const references = [...owns(owner).ownerReferences, ...owns(thing).ownerReferences];
    const { graph, processor, done } = setUp({ [child.uid]: { ownerReferences: references } });
    graph.observe(child, { ownerReferences: references });
    await assert.rejects(processor.process(thing.uid, signal), UnservedKindError);
    await processor.process(owner.uid, signal);
    await assert.rejects(processor.process(child.uid, signal), UnservedKindError);
    assert.deepEqual(done, []);
  });
});
