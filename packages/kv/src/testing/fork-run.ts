import assert from 'node:assert/strict';
import { systemClock } from '@binnacle/apimachinery/clock';
import type { KV, KVSnapshot } from '../interface/index.js';
import { bytes, forkAt, forkOf, rejects, snapshotOf, text } from './helpers.js';
import type { OpenKV } from './kv-under-test.js';

const KEYS = ['/r/a', '/r/a/b', '/r/b', '/r/\ue000', '/r/\u{10000}', '/s/a', '/s/b'];
/** The keys whose former values are forgotten. */
const FORGETTING = '/s/';
const MOST_STORES = 4;

type State = ReadonlyMap<string, string>;

/** A store, and what it must hold at each revision that it still has. */
interface Tracked {
  readonly kv: KV;
  readonly states: Map<number, State>;
  compacted: number;
  /** Up to which event former values are forgotten. */
  forgotten: number;
  snapshot: { readonly taken: KVSnapshot; readonly state: State } | undefined;
}

/**
 * Writes, deletes, compacts, forgets, forks and restores as the numbers say, in a store and in forks of forks of it. Compares
 * each with a plain copy of its past states. Throws if a store shows a write of another, or loses one.
 */
export async function forksAgreeWithModel(open: OpenKV, numbers: readonly number[]): Promise<void> {
  const kv = await open({ clock: systemClock });
  const stores: Tracked[] = [
    { kv, states: new Map([[await kv.currentRevision(), new Map()]]), compacted: 0, forgotten: 0, snapshot: undefined },
  ];
  const pending: Promise<void>[] = [];
  try {
    for (const [turn, number] of numbers.entries()) {
      const store = stores[number % stores.length];
      if (store !== undefined) await step(stores, store, Math.floor(number / MOST_STORES), `v${turn}`, pending);
      for (const each of stores) await compare(each, number);
    }
  } finally {
    for (const { snapshot } of stores) snapshot?.taken.release();
    // The parent first: its data must stay for the forks.
    for (const each of stores) await each.kv.close();
    await Promise.all(pending);
  }
}

async function step(
  stores: Tracked[],
  store: Tracked,
  choice: number,
  value: string,
  pending: Promise<void>[],
): Promise<void> {
  const { kv, states } = store;
  const revision = await kv.currentRevision();
  const state = newest(store);
  const key = KEYS[choice % KEYS.length] ?? '/r/a';
  switch (Math.floor(choice / KEYS.length) % 10) {
    case 0: {
      const fork = stores.length < MOST_STORES ? await forked(store, choice) : undefined;
      if (fork !== undefined) stores.push(fork);
      return;
    }
    case 4: {
      const at = readableOf(store).at(-1 - (choice % 4)) ?? revision;
      await kv.forgetValues?.(FORGETTING, at);
      store.forgotten = Math.max(store.forgotten, at);
      return;
    }
    case 1: {
      // Removal waits for forks and snapshots; readers are refused when the call has marked the compaction.
      pending.push(kv.compact(revision).catch(() => undefined));
      await kv.txn({ key: '/absent', expectedRevision: 0, operation: { type: 'delete' } });
      await kv.txn({ key: '/absent', expectedRevision: 0, operation: { type: 'delete' } });
      store.compacted = (await kv.status()).compactedRevision;
      return;
    }
    case 2:
      store.snapshot ??= { taken: snapshotOf(kv), state };
      return;
    case 3: {
      const { snapshot } = store;
      if (snapshot === undefined) return;
      const after = await snapshot.taken.restore();
      for (let each = revision + 1; each < after; each += 1) states.delete(each);
      states.set(after, snapshot.state);
      return;
    }
    default: {
      const { items } = await kv.range({ prefix: key, exact: true });
      const expectedRevision = items[0]?.modRevision ?? 0;
      const deletes = choice % 3 === 0;
      const operation = deletes ? ({ type: 'delete' } as const) : ({ type: 'put', value: bytes(value) } as const);
      const result = await kv.txn({ key, expectedRevision, operation });
      assert.ok(result.succeeded);
      const next = new Map(state);
      if (deletes) next.delete(key);
      else next.set(key, value);
      states.set(result.revision, next);
    }
  }
}

/** The revisions that are not compacted, oldest first. */
function readableOf({ states, compacted }: Tracked): number[] {
  return [...states.keys()].filter((revision) => revision >= compacted);
}

/** A fork of the present, or of any revision that the store still has. Undefined: a value of that revision is forgotten. */
async function forked(store: Tracked, choice: number): Promise<Tracked | undefined> {
  const { kv, states, compacted, forgotten } = store;
  const readable = readableOf(store);
  const at = readable[Math.floor(choice / (KEYS.length * 10)) % (readable.length + 1)];
  if (at === undefined) return { kv: forkOf(kv), states: new Map(states), compacted, forgotten, snapshot: undefined };
  if (lacksValues(store, at)) {
    await rejects(forkAt(kv, at), 'compacted');
    return undefined;
  }
  const past = [...states].filter(([revision]) => revision <= at);
  const own = Math.min(forgotten, at);
  return { kv: await forkAt(kv, at), states: new Map(past), compacted, forgotten: own, snapshot: undefined };
}

/** Whether a value of a revision has been superseded since, and is forgotten. */
function lacksValues({ states, forgotten }: Tracked, at: number): boolean {
  const then = [...(states.get(at) ?? [])].filter(([key]) => key.startsWith(FORGETTING));
  const later = [...states].filter(([revision]) => revision > at && revision <= forgotten);
  return then.some(([key, value]) => later.some(([, state]) => state.get(key) !== value));
}

async function compare(store: Tracked, choice: number): Promise<void> {
  const { kv, states, forgotten } = store;
  const newestRevision = await kv.currentRevision();
  const readable = readableOf(store);
  for (const revision of new Set([newestRevision, readable[choice % Math.max(readable.length, 1)] ?? newestRevision])) {
    const expected = [...(states.get(revision) ?? newest(store))].sort(([a], [b]) =>
      Buffer.compare(bytes(a), bytes(b)),
    );
    if (revision < forgotten) await rejects(kv.range({ prefix: '/', revision }), 'compacted');
    else {
      const { items, count } = await kv.range({ prefix: '/', revision });
      assert.deepEqual(
        items.map(({ key, value }) => [key, text(value)]),
        expected,
      );
      assert.equal(count, expected.length);
    }
    const page = await kv.range({ prefix: '/r/', revision, limit: 2, from: '/r/a/b' });
    const rest = expected.filter(([key]) => key.startsWith('/r/') && key !== '/r/a');
    assert.deepEqual(
      page.items.map(({ key }) => key),
      rest.slice(0, 2).map(([key]) => key),
    );
    assert.equal(page.count, rest.length);
  }
}

function newest({ states }: Tracked): State {
  return states.get(Math.max(...states.keys())) ?? new Map<string, string>();
}
