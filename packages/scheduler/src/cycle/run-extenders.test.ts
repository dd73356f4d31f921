import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@binnacle/apimachinery/clock';
import { type Extender, unschedulable, waitFor } from '../framework/index.js';
import { defaultPlugins } from '../plugins/index.js';
import { idleBinder, noDevices, nodeState, podFacts, snapshotOf } from '../testing/index.js';
import { type Outcome, Profile, schedule } from './index.js';

const nodes = ['a', 'b', 'c'].map((name) => nodeState(name));

async function outcomeOf(extenders: readonly Extender[], pod = podFacts('pod'), among = nodes): Promise<Outcome> {
  const plugins = defaultPlugins({ write: async () => undefined, binder: idleBinder, devices: noDevices, extenders });
  const profile = new Profile({ name: 'default-scheduler', plugins, extenders });
  const cycle = schedule(pod, { profile, snapshot: snapshotOf(among), random: seededRandom(1) });
  for (;;) {
    const step = cycle.next();
    if (step.done === true) return step.value;
    await step.value;
  }
}

function extender(points: Omit<Partial<Extender>, 'name'>): Extender {
  return { name: 'ext', isIgnorable: false, isInterested: () => true, ...points };
}

/** Accepts these nodes, once an answer has arrived. */
const accepting = (...names: readonly string[]) =>
  extender({
    *filter(_, given) {
      yield* waitFor(Promise.resolve());
      const rejected = given.filter(({ name }) => !names.includes(name));
      return {
        feasible: given.filter(({ name }) => names.includes(name)),
        rejected: new Map(rejected.map(({ name }) => [name, unschedulable('the extender objects')])),
      };
    },
  });

const rating = (scores: Readonly<Record<string, number>>) =>
  extender({
    *prioritize() {
      yield* waitFor(Promise.resolve());
      return new Map(Object.entries(scores));
    },
  });

const failing = (isIgnorable: boolean) =>
  extender({
    isIgnorable,
    *filter() {
      return yield* waitFor(Promise.reject(new Error('the extender is down')));
    },
  });

const nodeOf = (outcome: Outcome) => ('node' in outcome ? outcome.node : undefined);

describe('a cycle with extenders', () => {
  it('takes a node that all extenders accept', async () => {
    assert.equal(nodeOf(await outcomeOf([accepting('a', 'b'), accepting('b', 'c')])), 'b');
  });

  it('adds the scores of extenders', async () => {
    assert.equal(nodeOf(await outcomeOf([rating({ a: 100 }), rating({ a: 100, c: 300 })])), 'c');
  });

  it('does not ask an extender about a pod that does not concern it', async () => {
    const other = { ...accepting(), isInterested: () => false };
    assert.notEqual(nodeOf(await outcomeOf([other])), undefined);
  });

  it('says why the extenders reject all nodes, and tries again after any change', async () => {
    const outcome = await outcomeOf([accepting()]);
    assert.ok('diagnosis' in outcome);
    const { message, rejectedBy } = outcome.diagnosis;
    assert.equal(
      message,
      '0/3 nodes are available: 3 the extender objects. no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
    );
    assert.deepEqual([...rejectedBy], ['Extender']);
  });

  it('fails with an extender, unless it is ignorable', async () => {
    await assert.rejects(outcomeOf([failing(false)]), { message: 'the extender is down' });
    assert.equal(nodeOf(await outcomeOf([accepting('c'), failing(true)])), 'c');
  });
});

describe('a preemption with extenders', () => {
  const low = (name: string) => podFacts(name, { requests: { cpu: '1' } });
  const full = ['a', 'b'].map((name) => nodeState(name, { allocatable: { cpu: '1' }, pods: [low(`low-${name}`)] }));
  const high = podFacts('high', { spec: { priority: 10 }, requests: { cpu: '1' } });
  const choosing = (name: string, isIgnorable = false) =>
    extender({
      isIgnorable,
      *preempt(_, victims) {
        yield* waitFor(Promise.resolve());
        return new Map([...victims].filter(([node]) => node === name));
      },
    });
  const nominatedBy = async (...extenders: readonly Extender[]) => {
    const outcome = await outcomeOf(extenders, high, full);
    assert.ok('diagnosis' in outcome);
    return outcome.diagnosis;
  };

  it('takes the node that is left', async () => {
    const { nominatedNode, victims } = await nominatedBy(choosing('b'));
    assert.deepEqual([nominatedNode, victims.map(({ name }) => name)], ['b', ['low-b']]);
  });

  it('takes none if none is left', async () => {
    const { nominatedNode, message } = await nominatedBy(choosing('b'), choosing('a'));
    assert.equal(nominatedNode, undefined);
    assert.match(message, /preemption: no candidate node for preemption$/);
  });

  it('fails without victims on a node, unless the extender is ignorable', async () => {
    const empty = (isIgnorable: boolean) =>
      extender({
        isIgnorable,
        *preempt(_, victims) {
          yield* waitFor(Promise.resolve());
          return new Map([...victims].map(([node, each]) => [node, node === 'a' ? { ...each, pods: [] } : each]));
        },
      });
    assert.match(
      (await nominatedBy(empty(false))).message,
      /preemption: expected at least one victim pod on node "a"$/,
    );
    assert.equal((await nominatedBy(empty(true))).nominatedNode, 'b');
  });
});
