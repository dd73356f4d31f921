import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectMeta } from '@binnacle/client/typed';
import { Collector } from './collector.js';
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

/** Objects as the server has them, by uid, and what was done to them. `Thing` is not served; `Node` has no namespaces. */
function setUp(objects: Readonly<Record<string, ObjectMeta>>, onGet: (asked: Identity) => void = () => undefined) {
  const done: string[] = [];
  const asked: string[] = [];
  const note = (what: string) => async (on: Identity) => void done.push(`${what} ${on.name}`);
  const live: LiveObjects = {
    get: async (on) => {
      asked.push(on.name);
      onGet(on);
      return objects[on.uid];
    },
    locate: (meant) => {
      if (meant.kind === 'Thing') throw new UnservedKindError('Thing');
      if (meant.kind === 'Node') return { ...meant, namespace: '' };
      return meant.namespace === '' ? undefined : meant;
    },
    delete: note('delete'),
    rewriteOwners: note('rewrite'),
    removeFinalizer: note('finish'),
  };
  const graph = new DependencyGraph();
  const suspects: string[] = [];
  const collector = new Collector(graph, live, (consequences) => suspects.push(...consequences.suspects));
  return { graph, collector, done, asked, suspects };
}

describe('collector', () => {
  const [owner, child] = [identity('owner'), identity('child')];

  it('asks nobody about what is well', async () => {
    const { graph, collector, asked } = setUp({});
    graph.observe(owner, {});
    graph.observe(child, owns(owner));
    for (const uid of [owner.uid, child.uid, 'unknown']) assert.equal(await collector.look(uid, signal), false);
    assert.deepEqual(asked, []);
  });

  it('finishes a deletion only if nobody who holds it has appeared meanwhile', async () => {
    for (const [late, expected] of [
      [false, ['finish owner']],
      [true, []],
    ] as const) {
      const { graph, collector, done } = setUp({ [owner.uid]: deleted }, () => {
        if (late) graph.observe(child, owns(owner));
      });
      graph.observe(owner, deleted);
      await collector.look(owner.uid, signal);
      assert.deepEqual(done, expected);
    }
  });

  it('looks again at an owner that is there and that nobody has seen', async () => {
    const { graph, collector, suspects } = setUp({ [owner.uid]: {} });
    graph.observe(child, owns(owner));
    assert.equal(await collector.look(owner.uid, signal), true);
    assert.deepEqual(suspects, []);
    graph.observe(owner, {});
    assert.equal(await collector.look(owner.uid, signal), false);
  });

  it('asks once for an absent owner, however many name it', async () => {
    const { graph, collector, asked, done, suspects } = setUp({ 'uid-a': owns(owner), 'uid-b': owns(owner) });
    for (const name of ['a', 'b']) graph.observe(identity(name), owns(owner));
    assert.equal(await collector.look(owner.uid, signal), false);
    assert.deepEqual(suspects, ['uid-a', 'uid-b']);
    for (const uid of suspects) await collector.look(uid, signal);
    assert.deepEqual(done, ['delete a', 'delete b']);
    assert.deepEqual(asked, ['owner', 'a', 'b']);
  });

  it('goes by the owners that the server says it has, not by those that were seen', async () => {
    const { graph, collector, done } = setUp({ [child.uid]: {} });
    graph.observe(owner, {});
    graph.observe(child, owns(owner));
    graph.remove(owner);
    await collector.look(child.uid, signal);
    assert.deepEqual(done, []);
  });

  it('leaves alone what has no namespace and names an owner that would have one', async () => {
    const volume = identity('volume', 'Volume', '');
    const { graph, collector, asked, done } = setUp({ [volume.uid]: owns(owner) });
    graph.observe(volume, owns(owner));
    assert.equal(await collector.look(owner.uid, signal), false);
    graph.observe(owner, {});
    assert.equal(await collector.look(volume.uid, signal), false);
    assert.deepEqual([asked, done], [['volume'], []]);
  });

  it('does nothing for as long as the kind of an owner is not served', async () => {
    const thing = identity('thing', 'Thing');
    const references = [...owns(owner).ownerReferences, ...owns(thing).ownerReferences];
    const { graph, collector, done } = setUp({ [child.uid]: { ownerReferences: references } });
    graph.observe(child, { ownerReferences: references });
    await assert.rejects(collector.look(thing.uid, signal), UnservedKindError);
    await collector.look(owner.uid, signal);
    await assert.rejects(collector.look(child.uid, signal), UnservedKindError);
    assert.deepEqual(done, []);
  });
});
