import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ObjectMeta, OwnerReference, PartialObjectMetadata } from '@binnacle/client/typed';
import { conflict, internalError } from '@binnacle/apimachinery/status';
import * as fc from 'fast-check';
import { CandidateProcessor } from './candidate-processor.js';
import type { Propagation } from './decisions.js';
import { DependencyGraph, type Effects } from './graph.js';
import { areSameReferences, describe, type Identity, refersTo } from './identity.js';
import type { LiveObjects, RewriteOwners } from './live-objects.js';
import { existingOwnerState, isBeingDeleted, pendingFinalizerOf } from './node.js';
import { ResourceMonitor } from './resource-monitors.js';

interface Stored {
  readonly identity: Identity;
  readonly metadata: ObjectMeta;
}
type State = ReadonlyMap<string, Stored>;

const KINDS = ['Lamp', 'Rope'] as const;
const NAMES = ['a', 'b', 'c'] as const;
type Kind = (typeof KINDS)[number];

/**
 * A server with objects, owners and finalizers. It answers on command, keeps all its states, and fails the test if the collector deletes an
 * object that has an owner.
 */
class World implements LiveObjects {
  #objects: State = new Map();
  #uids = 0;
  /** All states so far; the resourceVersion is the index. */
  readonly states: State[] = [this.#objects];
  readonly #waiting: (() => void)[] = [];
  /** The faults of the next requests: lost before or after they take effect, or none. */
  readonly faults: ('before' | 'after' | 'none')[] = [];
  /** Answer at once, without a command. */
  isPrompt = false;

  get objects(): State {
    return this.#objects;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  answerOne(which: number): void {
    if (this.#waiting.length > 0) this.#waiting.splice(which % this.#waiting.length, 1)[0]?.();
  }

  create(kind: Kind, name: string, ownerReferences: readonly OwnerReference[]): void {
    if (this.#named(kind, name) !== undefined) return;
    const uid = `uid-${++this.#uids}`;
    this.#write({ identity: { apiVersion: 'v1', kind, namespace: 'ns', name, uid }, metadata: { ownerReferences } });
  }

  setOwners(kind: Kind, name: string, ownerReferences: readonly OwnerReference[]): void {
    const stored = this.#named(kind, name);
    if (stored !== undefined) this.#write({ ...stored, metadata: { ...stored.metadata, ownerReferences } });
  }

  /** A delete by a user. */
  deleteNamed(kind: Kind, name: string, propagation: Propagation): void {
    const stored = this.#named(kind, name);
    if (stored !== undefined) this.#remove(stored, propagation);
  }

  reference(kind: Kind, name: string, blockOwnerDeletion: boolean): OwnerReference[] {
    const found = this.#named(kind, name);
    if (found === undefined) return [];
    const { apiVersion, uid } = found.identity;
    return [{ apiVersion, kind, name, uid, blockOwnerDeletion }];
  }

  ownerStatesOf({ identity, metadata }: Stored): string[] {
    return (metadata.ownerReferences ?? []).map((reference) => {
      const owner = this.#objects.get(reference.uid);
      if (owner === undefined || !refersTo(reference, identity.namespace, owner.identity)) return 'absent';
      return existingOwnerState(pendingFinalizerOf(owner.metadata));
    });
  }

  locate(identity: Identity): Identity {
    return identity;
  }

  async get(identity: Identity): Promise<ObjectMeta | undefined> {
    return this.#answer(() => this.#same(identity)?.metadata);
  }

  async delete(identity: Identity, latest: ObjectMeta, propagation: Propagation): Promise<void> {
    await this.#answer(() => {
      const stored = this.#same(identity);
      if (stored === undefined) return;
      const { ownerReferences = [], resourceVersion } = stored.metadata;
      const isOther = resourceVersion !== latest.resourceVersion;
      if (isOther && !areSameReferences(ownerReferences, latest.ownerReferences ?? [])) throw conflicting(identity);
      const states = this.ownerStatesOf(stored);
      const isGarbage = states.length > 0 && states.every((each) => each === 'absent' || each === 'deletingDependents');
      assert.ok(isGarbage, `${describe(identity)} is deleted with owners ${states.join(', ') || 'none'}`);
      this.#remove(stored, propagation);
    });
  }

  async rewriteOwners(identity: Identity, rewrite: RewriteOwners): Promise<void> {
    await this.#answer(() => {
      const stored = this.#same(identity);
      if (stored === undefined) return;
      const { ownerReferences = [] } = stored.metadata;
      const rewritten = rewrite(ownerReferences);
      const kept = new Set(rewritten.map(({ uid }) => uid));
      const lost = ownerReferences.filter(({ uid }) => !kept.has(uid));
      const states = this.ownerStatesOf({ identity, metadata: { ownerReferences: lost } });
      assert.equal(states.includes('solid'), false, `${describe(identity)} loses an existing owner`);
      this.#write({ identity, metadata: { ...stored.metadata, ownerReferences: rewritten } });
    });
  }

  async removeFinalizer(identity: Identity, finalizer: string): Promise<void> {
    await this.#answer(() => {
      const stored = this.#same(identity);
      const { finalizers = [] } = stored?.metadata ?? {};
      if (stored === undefined || !finalizers.includes(finalizer)) return;
      this.#settle({ identity, metadata: { ...stored.metadata, finalizers: without(finalizers, finalizer) } });
    });
  }

  async #answer<T>(act: () => T): Promise<T> {
    if (!this.isPrompt) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const fault = this.faults.shift();
    if (fault === 'before') throw internalError(new Error('lost before'));
    const answer = act();
    if (fault === 'after') throw internalError(new Error('lost after'));
    return answer;
  }

  #named(kind: Kind, name: string): Stored | undefined {
    return [...this.#objects.values()].find(({ identity }) => identity.kind === kind && identity.name === name);
  }

  #same({ kind, name, uid }: Identity): Stored | undefined {
    const stored = this.#objects.get(uid);
    return stored?.identity.kind === kind && stored.identity.name === name ? stored : undefined;
  }

  #remove({ identity, metadata }: Stored, propagation: Propagation): void {
    const others = without(without(metadata.finalizers ?? [], 'orphan'), 'foregroundDeletion');
    const own = { Orphan: ['orphan'], Foreground: ['foregroundDeletion'], Background: [] }[propagation];
    const { deletionTimestamp = '2026-01-01T00:00:00Z' } = metadata;
    this.#settle({ identity, metadata: { ...metadata, deletionTimestamp, finalizers: [...others, ...own] } });
  }

  /** Stores the object, or removes it if its deletion has no finalizer left. */
  #settle(stored: Stored): void {
    const { metadata, identity } = stored;
    if (isBeingDeleted(metadata) && (metadata.finalizers ?? []).length === 0) {
      const rest = new Map(this.#objects);
      rest.delete(identity.uid);
      this.#advance(rest);
    } else this.#write(stored);
  }

  #write({ identity, metadata }: Stored): void {
    const { uid, name, namespace } = identity;
    const own = { uid, name, namespace, resourceVersion: String(this.states.length) };
    this.#advance(new Map(this.#objects).set(uid, { identity, metadata: { ...metadata, ...own } }));
  }

  #advance(state: State): void {
    this.#objects = state;
    this.states.push(state);
  }
}

/** One collector process, from start to crash, with its watches. */
class Collector {
  readonly graph = new DependencyGraph();
  readonly #world: World;
  readonly #processor: CandidateProcessor;
  readonly #monitors: Readonly<Record<Kind, ResourceMonitor>>;
  /** The state up to which each kind has been watched. */
  readonly #seen: Record<Kind, number>;
  readonly #candidates = new Set<string>();
  readonly #inWork = new Set<string>();
  readonly #life = new AbortController();
  failures: unknown[] = [];

  constructor(world: World) {
    this.#world = world;
    const onEffects = ({ candidates }: Effects) => {
      for (const uid of candidates) this.#candidates.add(uid);
    };
    this.#processor = new CandidateProcessor(this.graph, world, onEffects);
    const monitor = (kind: Kind) => {
      const resource = { group: '', version: 'v1', resource: `${kind}s`.toLowerCase() };
      const names = { singularName: '', shortNames: [], categories: [], subresources: [], verbs: [] };
      return new ResourceMonitor(
        { ...names, resource, kind: { group: '', version: 'v1', kind }, namespaced: true },
        this.graph,
        onEffects,
      );
    };
    this.#monitors = { Lamp: monitor('Lamp'), Rope: monitor('Rope') };
    this.#seen = { Lamp: 0, Rope: 0 };
    for (const kind of KINDS) this.relist(kind, 0);
  }

  /** Lists the kind at a state that may be `behind` the newest. */
  relist(kind: Kind, behind: number): void {
    const version = Math.max(0, this.#world.states.length - 1 - behind);
    this.#seen[kind] = version;
    const state = [...(this.#world.states[version] ?? new Map<string, Stored>()).values()];
    this.#monitors[kind].replace(state.filter(({ identity }) => identity.kind === kind).map(asSeen));
  }

  /** Receives the next state of a kind. False if there is none. */
  receive(kind: Kind): boolean {
    const { states } = this.#world;
    const version = this.#seen[kind] + 1;
    const [before, after] = [states[version - 1], states[version]];
    if (before === undefined || after === undefined) return false;
    this.#seen[kind] = version;
    for (const [uid, stored] of before) {
      if (stored.identity.kind === kind && !after.has(uid)) this.#monitors[kind].delete(asSeen(stored));
    }
    for (const [uid, stored] of after) {
      if (stored.identity.kind === kind && before.get(uid) !== stored) this.#monitors[kind].set(asSeen(stored));
    }
    return true;
  }

  /** Starts to process a candidate. False if every candidate is in work already. */
  begin(which: number): boolean {
    const ready = [...this.#candidates].filter((uid) => !this.#inWork.has(uid));
    const uid = ready[which % Math.max(1, ready.length)];
    if (uid === undefined) return false;
    this.#candidates.delete(uid);
    this.#inWork.add(uid);
    void this.#process(uid);
    return true;
  }

  get isBusy(): boolean {
    return this.#inWork.size > 0;
  }

  async #process(uid: string): Promise<void> {
    try {
      if (await this.#processor.process(uid, this.#life.signal)) this.#candidates.add(uid);
    } catch (error) {
      if (error instanceof assert.AssertionError) this.failures.push(error);
      this.#candidates.add(uid);
    }
    this.#inWork.delete(uid);
  }
}

function asSeen({ metadata }: Stored): PartialObjectMetadata {
  return { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata };
}

function without(list: readonly string[], value: string): string[] {
  return list.filter((each) => each !== value);
}

function conflicting({ name }: Identity): Error {
  return conflict({ group: '', resource: 'lamps' }, name, 'the object has been modified');
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

type Step = (at: { world: World; collector: Collector; restart: () => void }) => void;

const kind = fc.constantFrom(...KINDS);
const name = fc.constantFrom(...NAMES);
const number = fc.nat(5);
const owners = fc.array(fc.tuple(kind, name, fc.boolean()), { maxLength: 3 });
const propagation = fc.constantFrom<Propagation>('Orphan', 'Foreground', 'Background');
const referencesIn = (world: World, named: readonly (readonly [Kind, string, boolean])[]) =>
  named.flatMap(([ownerKind, ownerName, blocks]) => world.reference(ownerKind, ownerName, blocks));

/** Requests of users. */
const use = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(kind, name, owners).map(
      ([k, n, named]): Step =>
        ({ world }) =>
          world.create(k, n, referencesIn(world, named)),
    ),
  },
  fc.tuple(kind, name, owners).map(
    ([k, n, named]): Step =>
      ({ world }) =>
        world.setOwners(k, n, referencesIn(world, named)),
  ),
  {
    weight: 2,
    arbitrary: fc.tuple(kind, name, propagation).map(
      ([k, n, how]): Step =>
        ({ world }) =>
          world.deleteNamed(k, n, how),
    ),
  },
);
/** Steps of the collector. */
const work = fc.oneof(
  kind.map(
    (k): Step =>
      ({ collector }) =>
        void collector.receive(k),
  ),
  number.map(
    (n): Step =>
      ({ collector }) =>
        void collector.begin(n),
  ),
  number.map(
    (n): Step =>
      ({ world }) =>
        world.answerOne(n),
  ),
);
/** Stale lists, restarts and lost requests. */
const fault = fc.oneof(
  fc.tuple(kind, number).map(
    ([k, behind]): Step =>
      ({ collector }) =>
        collector.relist(k, behind),
  ),
  fc.constantFrom<Step>(({ restart }) => restart()),
  fc.constantFrom('before' as const, 'after' as const, 'none' as const).map(
    (lost): Step =>
      ({ world }) =>
        void world.faults.push(lost),
  ),
);

/** Runs the collector until it has nothing left to do. */
async function finish(world: World, collector: Collector): Promise<void> {
  world.faults.length = 0;
  world.isPrompt = true;
  for (let rounds = 0; ; rounds++) {
    assert.ok(rounds < 1000, 'the collector must become idle');
    while (world.waiting > 0) world.answerOne(0);
    await turn();
    const received = KINDS.some((k) => collector.receive(k));
    const started = collector.begin(0);
    if (!received && !started && !collector.isBusy && world.waiting === 0) return;
  }
}

async function run(steps: readonly Step[]): Promise<World> {
  const world = new World();
  const collectors = [new Collector(world)];
  const newest = () => collectors.at(-1) ?? assert.fail();
  // The old process keeps going: its requests may already be on their way.
  const restart = () => void collectors.push(new Collector(world));
  for (const step of steps) {
    step({ world, collector: newest(), restart });
    await turn();
  }
  await finish(world, newest());
  await finish(world, newest());
  for (const { failures } of collectors) assert.deepEqual(failures, []);
  return world;
}

it('never deletes an object with an owner, and leaves none without one, whatever users do and whichever requests fail', async () => {
  const steps = fc.array(
    fc.oneof({ weight: 3, arbitrary: use }, { weight: 6, arbitrary: work }, { weight: 2, arbitrary: fault }),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (each) => {
      const world = await run(each);
      for (const stored of world.objects.values()) {
        const states = world.ownerStatesOf(stored);
        assert.ok(!isBeingDeleted(stored.metadata), `${describe(stored.identity)} is never deleted`);
        assert.ok(states.length === 0 || states.includes('solid'), `${describe(stored.identity)} is never collected`);
      }
    }),
    { numRuns: 500 },
  );
});

it('deletes all dependents without another owner, cycles included, in the background and in the foreground', async () => {
  const everything = KINDS.flatMap((k) => NAMES.map((n) => [k, n] as const));
  const edges = fc.array(fc.tuple(fc.constantFrom(...everything), fc.constantFrom(...everything), fc.boolean()), {
    maxLength: 12,
  });
  const doomed = fc.uniqueArray(fc.constantFrom(...everything), { maxLength: 3 });
  const how = fc.constantFrom<Propagation>('Foreground', 'Background');
  await fc.assert(
    fc.asyncProperty(edges, doomed, how, async (drawn, roots, policy) => {
      const key = ([k, n]: readonly [string, string]) => `${k} ${n}`;
      const ownersOf = (object: string) => drawn.filter(([dependent]) => key(dependent) === object);
      const dead = new Set(roots.map(key));
      for (let before = -1; before < dead.size; ) {
        before = dead.size;
        for (const object of everything.map(key)) {
          const all = ownersOf(object);
          if (all.length > 0 && all.every(([, owner]) => dead.has(key(owner)))) dead.add(object);
        }
      }
      const world = await run([
        ...everything.map(
          ([k, n]): Step =>
            ({ world: w }) =>
              w.create(k, n, []),
        ),
        ...everything.map(
          ([k, n]): Step =>
            ({ world: w }) =>
              w.setOwners(
                k,
                n,
                referencesIn(
                  w,
                  ownersOf(key([k, n])).map(([, [ok, on], b]) => [ok, on, b]),
                ),
              ),
        ),
        ...everything.flatMap((): Step[] =>
          KINDS.map(
            (k) =>
              ({ collector }) =>
                void collector.receive(k),
          ),
        ),
        ...everything.flatMap((): Step[] =>
          KINDS.map(
            (k) =>
              ({ collector }) =>
                void collector.receive(k),
          ),
        ),
        ...roots.map(
          ([k, n]): Step =>
            ({ world: w }) =>
              w.deleteNamed(k, n, policy),
        ),
      ]);
      const left = [...world.objects.values()].map(({ identity }) => key([identity.kind, identity.name]));
      assert.deepEqual(
        left.sort(),
        everything
          .map(key)
          .filter((object) => !dead.has(object))
          .sort(),
      );
    }),
    { numRuns: 500 },
  );
});
