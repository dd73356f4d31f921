import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ObjectMeta, OwnerReference, PartialObjectMetadata } from '@binnacle/client/typed';
import { conflict, internalError } from '@binnacle/apimachinery/status';
import * as fc from 'fast-check';
import { Collector } from './collector.js';
import { FINALIZERS, isBeingDeleted, waitingOf } from './deletion.js';
import type { Consequences } from './consequences.js';
import { DependencyGraph } from './graph.js';
import { standingOf } from './standing.js';
import { areSameReferences, describe, type Identity, refersTo } from './identity.js';
import type { LiveObjects, RewriteOwners } from './live-objects.js';
import { ResourceMonitor } from './resource-monitor.js';
import type { Propagation } from './verdict.js';

interface Stored {
  readonly identity: Identity;
  readonly metadata: ObjectMeta;
}
type State = ReadonlyMap<string, Stored>;

const KINDS = ['Lamp', 'Rope'] as const;
const NAMES = ['a', 'b', 'c'] as const;
type Kind = (typeof KINDS)[number];

/**
 * A server, as far as deletions go. It answers when it is told to, remembers all its states, and fails a test when it is made to delete what
 * has an owner.
 */
class World implements LiveObjects {
  #objects: State = new Map();
  #uids = 0;
  /** All states that there ever were; the version is the index. */
  readonly states: State[] = [this.#objects];
  readonly #waiting: (() => void)[] = [];
  /** What becomes of the next answers: lost before or after something was done, or given. */
  readonly fates: ('before' | 'after' | 'none')[] = [];
  /** Whether answers are given at once. */
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

  /** As a user does. */
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

  standingsOf({ identity, metadata }: Stored): string[] {
    return (metadata.ownerReferences ?? []).map((reference) => {
      const owner = this.#objects.get(reference.uid);
      if (owner === undefined || !refersTo(reference, identity.namespace, owner.identity)) return 'absent';
      return standingOf(waitingOf(owner.metadata));
    });
  }

  locate(meant: Identity): Identity {
    return meant;
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
      const standings = this.standingsOf(stored);
      const lost = standings.length > 0 && standings.every((each) => each === 'absent' || each === 'waiting');
      assert.ok(lost, `${describe(identity)} is deleted, with owners: ${standings.join(', ') || 'none'}`);
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
      const standings = this.standingsOf({ identity, metadata: { ownerReferences: lost } });
      assert.equal(standings.includes('solid'), false, `${describe(identity)} loses an owner that is there`);
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
    const fate = this.fates.shift();
    if (fate === 'before') throw internalError(new Error('lost before'));
    const answer = act();
    if (fate === 'after') throw internalError(new Error('lost after'));
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
    const others = without(without(metadata.finalizers ?? [], FINALIZERS.orphans), FINALIZERS.dependents);
    const own = { Orphan: [FINALIZERS.orphans], Foreground: [FINALIZERS.dependents], Background: [] }[propagation];
    const { deletionTimestamp = '2026-01-01T00:00:00Z' } = metadata;
    this.#settle({ identity, metadata: { ...metadata, deletionTimestamp, finalizers: [...others, ...own] } });
  }

  /** Writes it, or is done with it. */
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

/** One life of a collector, from start to crash, and what it has seen of a world. */
class Watcher {
  readonly graph = new DependencyGraph();
  readonly #world: World;
  readonly #collector: Collector;
  readonly #monitors: Readonly<Record<Kind, ResourceMonitor>>;
  /** Up to which state each kind has been seen. */
  readonly #seen: Record<Kind, number>;
  readonly #suspects = new Set<string>();
  readonly #atWork = new Set<string>();
  readonly #life = new AbortController();
  faults: unknown[] = [];

  constructor(world: World) {
    this.#world = world;
    const follow = ({ suspects }: Consequences) => {
      for (const uid of suspects) this.#suspects.add(uid);
    };
    this.#collector = new Collector(this.graph, world, follow);
    const monitor = (kind: Kind) => {
      const resource = { group: '', version: 'v1', resource: `${kind}s`.toLowerCase() };
      const names = { singularName: '', shortNames: [], categories: [], subresources: [], verbs: [] };
      return new ResourceMonitor(
        { ...names, resource, kind: { group: '', version: 'v1', kind }, namespaced: true },
        this.graph,
        follow,
      );
    };
    this.#monitors = { Lamp: monitor('Lamp'), Rope: monitor('Rope') };
    this.#seen = { Lamp: 0, Rope: 0 };
    for (const kind of KINDS) this.relist(kind, 0);
  }

  /** The server, or a part of it that is behind by so many states, is asked for all there is. */
  relist(kind: Kind, behind: number): void {
    const version = Math.max(0, this.#world.states.length - 1 - behind);
    this.#seen[kind] = version;
    const state = [...(this.#world.states[version] ?? new Map<string, Stored>()).values()];
    this.#monitors[kind].replace(state.filter(({ identity }) => identity.kind === kind).map(asSeen));
  }

  /** The next change of a kind is heard of. False: there is none. */
  hear(kind: Kind): boolean {
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

  /** Begins to look at a suspect. False: there is none that is not looked at already. */
  begin(which: number): boolean {
    const ready = [...this.#suspects].filter((uid) => !this.#atWork.has(uid));
    const uid = ready[which % Math.max(1, ready.length)];
    if (uid === undefined) return false;
    this.#suspects.delete(uid);
    this.#atWork.add(uid);
    void this.#look(uid);
    return true;
  }

  get isBusy(): boolean {
    return this.#atWork.size > 0;
  }

  async #look(uid: string): Promise<void> {
    try {
      if (await this.#collector.look(uid, this.#life.signal)) this.#suspects.add(uid);
    } catch (error) {
      if (error instanceof assert.AssertionError) this.faults.push(error);
      this.#suspects.add(uid);
    }
    this.#atWork.delete(uid);
  }
}

function asSeen({ metadata }: Stored): PartialObjectMetadata {
  return { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata };
}

function without(list: readonly string[], value: string): string[] {
  return list.filter((each) => each !== value);
}

function conflicting({ name }: Identity): Error {
  return conflict({ group: '', resource: 'lamps' }, name, 'somebody else was faster');
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

type Step = (at: { world: World; watcher: Watcher; restart: () => void }) => void;

const kind = fc.constantFrom(...KINDS);
const name = fc.constantFrom(...NAMES);
const number = fc.nat(5);
const owners = fc.array(fc.tuple(kind, name, fc.boolean()), { maxLength: 3 });
const propagation = fc.constantFrom<Propagation>('Orphan', 'Foreground', 'Background');
const referencesIn = (world: World, named: readonly (readonly [Kind, string, boolean])[]) =>
  named.flatMap(([ownerKind, ownerName, blocks]) => world.reference(ownerKind, ownerName, blocks));

/** What users do. */
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
/** What goes on in the collector. */
const work = fc.oneof(
  kind.map(
    (k): Step =>
      ({ watcher }) =>
        void watcher.hear(k),
  ),
  number.map(
    (n): Step =>
      ({ watcher }) =>
        void watcher.begin(n),
  ),
  number.map(
    (n): Step =>
      ({ world }) =>
        world.answerOne(n),
  ),
);
/** What goes wrong. */
const trouble = fc.oneof(
  fc.tuple(kind, number).map(
    ([k, behind]): Step =>
      ({ watcher }) =>
        watcher.relist(k, behind),
  ),
  fc.constantFrom<Step>(({ restart }) => restart()),
  fc.constantFrom('before' as const, 'after' as const, 'none' as const).map(
    (fate): Step =>
      ({ world }) =>
        void world.fates.push(fate),
  ),
);

/** Until nothing is left to do. */
async function finish(world: World, watcher: Watcher): Promise<void> {
  world.fates.length = 0;
  world.isPrompt = true;
  for (let rounds = 0; ; rounds++) {
    assert.ok(rounds < 1000, 'it comes to an end');
    while (world.waiting > 0) world.answerOne(0);
    await turn();
    const heard = KINDS.some((k) => watcher.hear(k));
    const begun = watcher.begin(0);
    if (!heard && !begun && !watcher.isBusy && world.waiting === 0) return;
  }
}

async function live(steps: readonly Step[]): Promise<World> {
  const world = new World();
  const watchers = [new Watcher(world)];
  const newest = () => watchers.at(-1) ?? assert.fail();
  // The one before is not stopped: what it has begun goes on, as requests on their way do.
  const restart = () => void watchers.push(new Watcher(world));
  for (const step of steps) {
    step({ world, watcher: newest(), restart });
    await turn();
  }
  await finish(world, newest());
  await finish(world, newest());
  for (const { faults } of watchers) assert.deepEqual(faults, []);
  return world;
}

it('whatever is done and goes wrong: nothing with an owner is deleted, and in the end nothing without one is left', async () => {
  const steps = fc.array(
    fc.oneof({ weight: 3, arbitrary: use }, { weight: 6, arbitrary: work }, { weight: 2, arbitrary: trouble }),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (each) => {
      const world = await live(each);
      for (const stored of world.objects.values()) {
        const standings = world.standingsOf(stored);
        assert.ok(!isBeingDeleted(stored.metadata), `${describe(stored.identity)} is never gone`);
        assert.ok(standings.length === 0 || standings.includes('solid'), `${describe(stored.identity)} is left behind`);
      }
    }),
    { numRuns: 500 },
  );
});

it('deletion takes along what is owned by nobody else, circles too, in the background as in the foreground', async () => {
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
      const world = await live([
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
              ({ watcher }) =>
                void watcher.hear(k),
          ),
        ),
        ...everything.flatMap((): Step[] =>
          KINDS.map(
            (k) =>
              ({ watcher }) =>
                void watcher.hear(k),
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
