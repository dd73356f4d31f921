import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectMeta, OwnerReference } from '@binnacle/client/typed';
import type { Consequences } from './consequences.js';
import { DependencyGraph } from './graph.js';
import type { Identity } from './identity.js';
import { taskFor } from './task.js';

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
const names = ({ suspects }: Consequences) => [...suspects].map((uid) => uid.slice('uid-'.length)).sort();
const [owner, child, other] = [pod('owner'), pod('child'), pod('other')];

/** A graph that has seen these, in that order. */
function graphOf(...seen: readonly (readonly [Identity, ObjectMeta])[]): DependencyGraph {
  const graph = new DependencyGraph();
  for (const [identity, metadata] of seen) graph.observe(identity, metadata);
  return graph;
}
const owned: readonly [Identity, ObjectMeta] = [child, { ownerReferences: [ownedBy(owner)] }];

describe('dependency graph', () => {
  it('suspects nobody as long as owners are there', () => {
    const graph = new DependencyGraph();
    assert.deepEqual(names(graph.observe(owner, {})), []);
    assert.deepEqual(names(graph.observe(...owned)), []);
    assert.deepEqual(names(graph.observe(child, { ...owned[1], labels: { a: 'b' } })), []);
    assert.equal(taskFor(graph, child.uid).type, 'rest');
  });

  it('suspects an owner that nobody has seen, until it is seen', () => {
    const graph = new DependencyGraph();
    assert.deepEqual(names(graph.observe(...owned)), ['owner']);
    const { apiVersion, kind, name, uid } = owner;
    assert.deepEqual(taskFor(graph, owner.uid), {
      type: 'find',
      meant: [{ apiVersion, kind, namespace: 'shop', name, uid }],
    });
    assert.deepEqual(names(graph.observe(owner, {})), []);
    assert.equal(taskFor(graph, owner.uid).type, 'rest');
    assert.equal(taskFor(graph, child.uid).type, 'rest');
  });

  it('suspects what a deleted object owned, and knows that the owner is absent', () => {
    const graph = graphOf([owner, {}], owned);
    assert.deepEqual(names(graph.remove(owner)), ['child']);
    assert.equal(taskFor(graph, child.uid).type, 'examine');
    assert.deepEqual(
      names(graph.observe(other, { ownerReferences: [ownedBy(owner)] })),
      ['other'],
      'and so is that of whoever comes late',
    );
    assert.deepEqual(taskFor(graph, owner.uid), { type: 'find', meant: [] });
  });

  it('does not take what is missing from a list for deleted', () => {
    const graph = graphOf([owner, {}], owned);
    assert.deepEqual(names(graph.forget(owner.uid)), ['owner']);
    assert.equal(taskFor(graph, owner.uid).type, 'find');
    assert.equal(graph.node(owner.uid)?.absentAs.length, 0);
  });

  it('believes what it sees more than what the server once said', () => {
    const graph = graphOf(owned);
    assert.deepEqual(names(graph.markAbsent(owner)), ['child']);
    assert.equal(taskFor(graph, child.uid).type, 'examine');
    graph.observe(owner, {});
    assert.equal(taskFor(graph, child.uid).type, 'rest');
    assert.deepEqual(names(graph.markAbsent(owner)), [], 'an answer that comes late changes nothing');
    assert.equal(taskFor(graph, child.uid).type, 'rest');
    graph.forget(owner.uid);
    assert.equal(graph.standing(graphNode(graph, child), ownedBy(owner)), 'unknown', 'and is not remembered');
  });

  it('forgets what nobody speaks of', () => {
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
    it(`holds an owner with ${finalizer} until its dependents are settled`, () => {
      const graph = graphOf([owner, {}]);
      const reference = ownedBy(owner, { blockOwnerDeletion: block });
      graph.observe(child, { ownerReferences: [reference] });
      assert.deepEqual(names(graph.observe(owner, deleted(finalizer))), ['child', 'owner']);
      assert.equal(taskFor(graph, owner.uid).type, 'rest');
      assert.equal(taskFor(graph, child.uid).type, 'examine');
      assert.deepEqual(names(graph.observe(other, { ownerReferences: [reference] })), ['other'], 'late ones too');
      assert.deepEqual(names(graph.observe(other, {})), ['owner']);
      assert.deepEqual(names(graph.remove(child)), ['owner']);
      assert.deepEqual(taskFor(graph, owner.uid), { type: 'finish', identity: owner, finalizer });
    });
  }

  it('lets go of an owner whose dependents do not block, and of none that is not being deleted', () => {
    const graph = graphOf([owner, { finalizers: ['foregroundDeletion'] }], owned);
    assert.equal(taskFor(graph, owner.uid).type, 'rest');
    graph.observe(owner, deleted('foregroundDeletion'));
    assert.equal(taskFor(graph, owner.uid).type, 'finish');
    const unblocked = graphOf([owner, deleted('foregroundDeletion')]);
    unblocked.observe(child, { ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true })] });
    assert.equal(taskFor(unblocked, owner.uid).type, 'rest');
    assert.deepEqual(names(unblocked.observe(...owned)), ['child', 'owner']);
    assert.equal(taskFor(unblocked, owner.uid).type, 'finish');
  });

  it('lets circles not hold themselves, but what hangs on them', () => {
    const [one, two, three] = [pod('one'), pod('two'), pod('three')];
    const held = (by: Identity): ObjectMeta => ({
      ...deleted('foregroundDeletion'),
      ownerReferences: [ownedBy(by, { blockOwnerDeletion: true })],
    });
    const graph = graphOf([one, held(three)], [two, held(one)], [three, held(two)]);
    graph.observe(child, { ownerReferences: [ownedBy(two, { blockOwnerDeletion: true })] });
    assert.deepEqual(
      [one, two, three].map(({ uid }) => taskFor(graph, uid).type),
      ['finish', 'rest', 'finish'],
    );
    assert.equal(taskFor(graphOf([one, held(one)]), one.uid).type, 'finish');
    const apart = graphOf([one, deleted('foregroundDeletion')], [two, held(one)]);
    assert.equal(taskFor(apart, one.uid).type, 'rest');
  });

  it('does not touch what is being deleted, unless its owner waits to be let go of', () => {
    const graph = graphOf([owner, {}], [child, { ...deleted('example.com/own'), ownerReferences: [ownedBy(owner)] }]);
    graph.remove(owner);
    assert.equal(taskFor(graph, child.uid).type, 'rest');
    graph.observe(owner, deleted('orphan'));
    assert.equal(taskFor(graph, child.uid).type, 'examine');
  });

  it('forgets the oldest of very many absences: that spares requests, and nothing more', () => {
    const graph = graphOf(owned);
    for (let index = 0; index < 100; index++) graph.markAbsent({ ...owner, name: `name-${index}` });
    assert.equal(graph.node(owner.uid)?.absentAs.length, 16);
  });
});

describe('references that do not fit their owner', () => {
  const elsewhere = pod('owner', 'elsewhere');

  it('from another namespace are told, and examined, whoever is seen first', () => {
    const childFirst = graphOf(owned);
    const met = childFirst.observe(elsewhere, {});
    const ownerFirst = graphOf([elsewhere, {}]).observe(...owned);
    for (const consequences of [met, ownerFirst]) {
      assert.deepEqual(names(consequences), ['child']);
      assert.deepEqual(consequences.misplaced, [{ dependent: child, reference: ownedBy(owner) }]);
    }
    assert.equal(taskFor(childFirst, child.uid).type, 'examine');
  });

  it('do not hold it', () => {
    const graph = graphOf([elsewhere, deleted('foregroundDeletion')]);
    graph.observe(child, { ownerReferences: [ownedBy(elsewhere, { blockOwnerDeletion: true })] });
    assert.equal(taskFor(graph, elsewhere.uid).type, 'finish');
  });

  it('by name, kind or version are examined', () => {
    for (const wrong of [{ name: 'x' }, { kind: 'Node' }, { apiVersion: 'v2' }]) {
      const graph = graphOf([owner, {}]);
      assert.deepEqual(names(graph.observe(child, { ownerReferences: [ownedBy(owner, wrong)] })), ['child']);
      graph.markAbsent({ ...owner, ...wrong });
      assert.deepEqual(names(graph.observe(other, { ownerReferences: [ownedBy(owner, wrong)] })), ['other']);
      assert.equal(graph.standing({ ...graphNode(graph, child) }, ownedBy(owner, wrong)), 'absent');
      assert.equal(graph.standing({ ...graphNode(graph, child) }, ownedBy(owner)), 'solid');
    }
  });

  it('may disagree: each is asked for', () => {
    const graph = graphOf(owned, [other, { ownerReferences: [ownedBy(owner, { name: 'x' })] }]);
    const task = taskFor(graph, owner.uid);
    assert.deepEqual(task.type === 'find' ? task.meant.map(({ name }) => name) : [], ['owner', 'x']);
    graph.markAbsent({ ...owner, name: 'x' });
    const rest = taskFor(graph, owner.uid);
    assert.deepEqual(rest.type === 'find' ? rest.meant.map(({ name }) => name) : [], ['owner']);
  });

  it('to an owner without a namespace may come from any', () => {
    const node = pod('owner', '');
    const graph = graphOf([node, {}], owned);
    assert.equal(taskFor(graph, child.uid).type, 'rest');
    graph.remove(node);
    assert.equal(graph.standing(graphNode(graph, child), ownedBy(owner)), 'absent');
  });
});

it('is uncertain of who was not seen, and of references that do not fit', () => {
  const wrong = ownedBy(other, { kind: 'Node' });
  const graph = graphOf([other, {}], [pod('fits'), { ownerReferences: [ownedBy(other)] }], owned);
  graph.observe(pod('mistaken'), { ownerReferences: [wrong] });
  assert.deepEqual([...graph.uncertain()].sort(), ['uid-child', 'uid-mistaken', 'uid-owner']);
});

function graphNode(graph: DependencyGraph, { uid }: Identity) {
  const node = graph.node(uid);
  assert.ok(node !== undefined);
  return node;
}
