import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectMeta, OwnerReference } from '@binnacle/client/typed';
import { taskFor } from './decisions.js';
import { DependencyGraph, type Effects } from './graph.js';
import type { Identity } from './identity.js';

const pod = (name: string, namespace = 'shop'): Identity => ({
  apiVersion: 'v1',
  kind: 'Pod',
  namespace,
  name,
  uid: `uid-${name}`,
});
const ownedBy = (owner: Identity, more: Partial<OwnerReference> = {}): OwnerReference => {
  const { apiVersion, kind, name, uid } = owner;
  return { apiVersion, kind, name, uid, ...more };
};
const deleted = (...finalizers: string[]): ObjectMeta => ({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers });
const names = ({ candidates }: Effects) => [...candidates].map((uid) => uid.slice('uid-'.length)).sort();
const [owner, child, other] = [pod('owner'), pod('child'), pod('other')];

/** A graph that has observed these objects in order. */
function graphOf(...seen: readonly (readonly [Identity, ObjectMeta])[]): DependencyGraph {
  const graph = new DependencyGraph();
  for (const [identity, metadata] of seen) graph.observe(identity, metadata);
  return graph;
}
const owned: readonly [Identity, ObjectMeta] = [child, { ownerReferences: [ownedBy(owner)] }];

describe('dependency graph', () => {
  it('yields no candidates while owners exist', () => {
    const graph = new DependencyGraph();
    assert.deepEqual(names(graph.observe(owner, {})), []);
    assert.deepEqual(names(graph.observe(...owned)), []);
    assert.deepEqual(names(graph.observe(child, { ...owned[1], labels: { a: 'b' } })), []);
    assert.equal(taskFor(graph, child.uid).type, 'none');
  });

  it('yields an unobserved owner until it is observed', () => {
    const graph = new DependencyGraph();
    assert.deepEqual(names(graph.observe(...owned)), ['owner']);
    const { apiVersion, kind, name, uid } = owner;
    assert.deepEqual(taskFor(graph, owner.uid), {
      type: 'lookUp',
      identities: [{ apiVersion, kind, namespace: 'shop', name, uid }],
    });
    assert.deepEqual(names(graph.observe(owner, {})), []);
    assert.equal(taskFor(graph, owner.uid).type, 'none');
    assert.equal(taskFor(graph, child.uid).type, 'none');
  });

  it('yields the dependents of a deleted owner and remembers it as absent', () => {
    const graph = graphOf([owner, {}], owned);
    assert.deepEqual(names(graph.remove(owner)), ['child']);
    assert.equal(taskFor(graph, child.uid).type, 'examine');
    assert.deepEqual(
      names(graph.observe(other, { ownerReferences: [ownedBy(owner)] })),
      ['other'],
      'a dependent that appears later is a candidate too',
    );
    assert.deepEqual(taskFor(graph, owner.uid), { type: 'lookUp', identities: [] });
  });

  it('does not take an object that a list lacks for deleted', () => {
    const graph = graphOf([owner, {}], owned);
    assert.deepEqual(names(graph.forget(owner.uid)), ['owner']);
    assert.equal(taskFor(graph, owner.uid).type, 'lookUp');
    assert.equal(graph.node(owner.uid)?.absentAs.length, 0);
  });

  it('trusts an observed object more than an earlier NotFound', () => {
    const graph = graphOf(owned);
    assert.deepEqual(names(graph.markAbsent(owner)), ['child']);
    assert.equal(taskFor(graph, child.uid).type, 'examine');
    graph.observe(owner, {});
    assert.equal(taskFor(graph, child.uid).type, 'none');
    assert.deepEqual(names(graph.markAbsent(owner)), [], 'a late NotFound changes nothing');
    assert.equal(taskFor(graph, child.uid).type, 'none');
    graph.forget(owner.uid);
    assert.equal(
      graph.ownerState(graphNode(graph, child), ownedBy(owner)),
      'unknown',
      'a late NotFound is not remembered',
    );
  });

  it('drops nodes that nothing refers to', () => {
    const graph = graphOf(owned);
    assert.equal(graph.size, 2);
    graph.observe(child, {});
    assert.equal(graph.size, 1);
    graph.remove(child);
    assert.equal(graph.size, 0);
    const circle = graphOf([owner, { ownerReferences: [ownedBy(owner), ownedBy(child)] }], owned);
    circle.remove(owner);
    circle.remove(child);
    assert.equal(circle.size, 0);
  });

  for (const [finalizer, block] of [
    ['foregroundDeletion', true],
    ['orphan', false],
  ] as const) {
    it(`blocks an owner with ${finalizer} until its dependents are gone or detached`, () => {
      const graph = graphOf([owner, {}]);
      const reference = ownedBy(owner, { blockOwnerDeletion: block });
      graph.observe(child, { ownerReferences: [reference] });
      assert.deepEqual(names(graph.observe(owner, deleted(finalizer))), ['child', 'owner']);
      assert.equal(taskFor(graph, owner.uid).type, 'none');
      assert.equal(taskFor(graph, child.uid).type, 'examine');
      assert.deepEqual(
        names(graph.observe(other, { ownerReferences: [reference] })),
        ['other'],
        'dependents that appear later too',
      );
      assert.deepEqual(names(graph.observe(other, {})), ['owner']);
      assert.deepEqual(names(graph.remove(child)), ['owner']);
      assert.deepEqual(taskFor(graph, owner.uid), { type: 'removeFinalizer', identity: owner, finalizer });
    });
  }

  it('removes the finalizer of a deleted owner whose dependents do not block', () => {
    const graph = graphOf([owner, { finalizers: ['foregroundDeletion'] }], owned);
    assert.equal(taskFor(graph, owner.uid).type, 'none');
    graph.observe(owner, deleted('foregroundDeletion'));
    assert.equal(taskFor(graph, owner.uid).type, 'removeFinalizer');
    const unblocked = graphOf([owner, deleted('foregroundDeletion')]);
    unblocked.observe(child, { ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true })] });
    assert.equal(taskFor(unblocked, owner.uid).type, 'none');
    assert.deepEqual(names(unblocked.observe(...owned)), ['child', 'owner']);
    assert.equal(taskFor(unblocked, owner.uid).type, 'removeFinalizer');
  });

  it('does not let a cycle block itself, but lets other dependents block it', () => {
    const [one, two, three] = [pod('one'), pod('two'), pod('three')];
    const ownedAndDeleted = (by: Identity): ObjectMeta => ({
      ...deleted('foregroundDeletion'),
      ownerReferences: [ownedBy(by, { blockOwnerDeletion: true })],
    });
    const graph = graphOf([one, ownedAndDeleted(three)], [two, ownedAndDeleted(one)], [three, ownedAndDeleted(two)]);
    graph.observe(child, { ownerReferences: [ownedBy(two, { blockOwnerDeletion: true })] });
    assert.deepEqual(
      [one, two, three].map(({ uid }) => taskFor(graph, uid).type),
      ['removeFinalizer', 'none', 'removeFinalizer'],
    );
    assert.equal(taskFor(graphOf([one, ownedAndDeleted(one)]), one.uid).type, 'removeFinalizer');
    const apart = graphOf([one, deleted('foregroundDeletion')], [two, ownedAndDeleted(one)]);
    assert.equal(taskFor(apart, one.uid).type, 'none');
  });

  it('leaves an object that is being deleted alone unless an owner is orphaning', () => {
    const graph = graphOf([owner, {}], [child, { ...deleted('example.com/own'), ownerReferences: [ownedBy(owner)] }]);
    graph.remove(owner);
    assert.equal(taskFor(graph, child.uid).type, 'none');
    graph.observe(owner, deleted('orphan'));
    assert.equal(taskFor(graph, child.uid).type, 'examine');
  });

  it('bounds the absent identities of a node', () => {
    const graph = graphOf(owned);
    for (let index = 0; index < 100; index++) graph.markAbsent({ ...owner, name: `name-${index}` });
    assert.equal(graph.node(owner.uid)?.absentAs.length, 16);
  });
});

describe('references that do not match their owner', () => {
  const foreign = pod('owner', 'foreign');

  it('across namespaces are reported and examined, in either order of events', () => {
    const childFirst = graphOf(owned);
    const identified = childFirst.observe(foreign, {});
    const ownerFirst = graphOf([foreign, {}]).observe(...owned);
    for (const effects of [identified, ownerFirst]) {
      assert.deepEqual(names(effects), ['child']);
      assert.deepEqual(effects.crossNamespace, [{ dependent: child, reference: ownedBy(owner) }]);
    }
    assert.equal(taskFor(childFirst, child.uid).type, 'examine');
  });

  it('do not block it', () => {
    const graph = graphOf([foreign, deleted('foregroundDeletion')]);
    graph.observe(child, { ownerReferences: [ownedBy(foreign, { blockOwnerDeletion: true })] });
    assert.equal(taskFor(graph, foreign.uid).type, 'removeFinalizer');
  });

  it('by name, kind or version are examined', () => {
    for (const wrong of [{ name: 'x' }, { kind: 'Node' }, { apiVersion: 'v2' }]) {
      const graph = graphOf([owner, {}]);
      assert.deepEqual(names(graph.observe(child, { ownerReferences: [ownedBy(owner, wrong)] })), ['child']);
      graph.markAbsent({ ...owner, ...wrong });
      assert.deepEqual(names(graph.observe(other, { ownerReferences: [ownedBy(owner, wrong)] })), ['other']);
      assert.equal(graph.ownerState({ ...graphNode(graph, child) }, ownedBy(owner, wrong)), 'absent');
      assert.equal(graph.ownerState({ ...graphNode(graph, child) }, ownedBy(owner)), 'solid');
    }
  });

  it('are looked up one by one if they disagree', () => {
    const graph = graphOf(owned, [other, { ownerReferences: [ownedBy(owner, { name: 'x' })] }]);
    const task = taskFor(graph, owner.uid);
    assert.deepEqual(task.type === 'lookUp' ? task.identities.map(({ name }) => name) : [], ['owner', 'x']);
    graph.markAbsent({ ...owner, name: 'x' });
    const later = taskFor(graph, owner.uid);
    assert.deepEqual(later.type === 'lookUp' ? later.identities.map(({ name }) => name) : [], ['owner']);
  });

  it('match a cluster-scoped owner from any namespace', () => {
    const node = pod('owner', '');
    const graph = graphOf([node, {}], owned);
    assert.equal(taskFor(graph, child.uid).type, 'none');
    graph.remove(node);
    assert.equal(graph.ownerState(graphNode(graph, child), ownedBy(owner)), 'absent');
  });
});

it('lists unobserved owners and dependents with mismatched references as unresolved', () => {
  const wrong = ownedBy(other, { kind: 'Node' });
  const graph = graphOf([other, {}], [pod('matching'), { ownerReferences: [ownedBy(other)] }], owned);
  graph.observe(pod('mistaken'), { ownerReferences: [wrong] });
  assert.deepEqual([...graph.unresolved()].sort(), ['uid-child', 'uid-mistaken', 'uid-owner']);
});

function graphNode(graph: DependencyGraph, { uid }: Identity) {
  const node = graph.node(uid);
  assert.ok(node !== undefined);
  return node;
}

describe('objects with thousands of owners', () => {
  it('are compared in linear time', () => {
    const graph = new DependencyGraph();
    const count = 3000;
    let reads = 0;
    const owners = (from: number): OwnerReference[] =>
      Array.from({ length: count }, (_, index) => ({
        ...ownedBy(pod(`owner-${from + index}`)),
        get uid() {
          reads++;
          return `uid-owner-${from + index}`;
        },
      }));
    graph.observe(child, { ownerReferences: owners(0) });
    const ofOther = graph.observe(other, { ownerReferences: owners(0) });
    assert.equal(ofOther.candidates.size, count);
    const moved = graph.observe(other, { ownerReferences: owners(1) });
    assert.deepEqual(names(moved), [`owner-${count}`], 'only the new reference');
    assert.equal(graph.node(child.uid)?.owners[5], graph.node(other.uid)?.owners[4], 'siblings share references');
    assert.equal(graph.node('uid-owner-0')?.dependents.size, 1);
    assert.ok(reads < 100 * count, `${reads} reads of a uid`);
  });

  it('may name one uid under thousands of names', () => {
    const ownerReferences = Array.from({ length: 3000 }, (_, index) => ({ ...ownedBy(owner), name: `name-${index}` }));
    const graph = graphOf([child, { ownerReferences }]);
    const task = taskFor(graph, owner.uid);
    assert.equal(task.type === 'lookUp' && task.identities.length, 3000);
    graph.observe(child, { ownerReferences: ownerReferences.slice(1) });
    const left = taskFor(graph, owner.uid);
    assert.equal(left.type === 'lookUp' && left.identities.length, 2999);
  });
});
