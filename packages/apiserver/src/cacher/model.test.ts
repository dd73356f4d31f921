import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { configMap, type TestResource, testResource } from '../testing/index.js';
import type { StoredObject } from '../storage/index.js';
import type { CacherWatch } from './cacher-watch.js';

const PREFIX = '/registry/configmaps/';
const NAMES = ['a', 'ab', 'b', 'c'];

type Selection = 'all' | 'odd' | 'namespace' | 'name';

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('write' as const),
      name: fc.constantFrom(...NAMES),
      odd: fc.boolean(),
      namespace: fc.constantFrom('x', 'xy'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('delete' as const),
      name: fc.constantFrom(...NAMES),
      namespace: fc.constantFrom('x', 'xy'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('watch' as const),
      back: fc.option(fc.nat(12)),
      selection: fc.constantFrom<Selection>('all', 'odd', 'namespace', 'name'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('take' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('turn' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('age' as const) }) },
);

/** A store's state, by key: the revision and whether it is odd. */
type State = ReadonlyMap<string, { readonly revision: number; readonly odd: boolean }>;

interface Watching {
  readonly watch: CacherWatch;
  readonly selection: Selection;
  /** The watcher's view of the selected state, from its events. */
  readonly told: Map<string, number>;
  last: number;
}

const prefixOf = (selection: Selection): string =>
  selection === 'namespace' ? `${PREFIX}x/` : selection === 'name' ? `${PREFIX}x/a` : PREFIX;

function selects(selection: Selection, key: string, odd: boolean): boolean {
  if (selection === 'name') return key === `${PREFIX}x/a`;
  return key.startsWith(prefixOf(selection)) && (selection !== 'odd' || odd);
}

const filterOf = (selection: Selection) =>
  selection === 'odd' || selection === 'name'
    ? (object: StoredObject) => selects(selection, object.key, object.labels.odd === 'true')
    : undefined;

function selected(state: State, selection: Selection): Map<string, number> {
  return new Map(
    [...state].filter(([key, { odd }]) => selects(selection, key, odd)).map(([key, { revision }]) => [key, revision]),
  );
}

/** Checks that each event is a legal transition from the watcher's view. */
function follow(watching: Watching): void {
  const { watch, told } = watching;
  const revision = watch.revision();
  for (const { type, object } of watch.watcher.take()) {
    const known = told.has(object.key);
    assert.equal(type === 'ADDED', !known, `${type} of ${object.key}`);
    assert.ok(object.revision > watching.last || watching.last === 0, 'in order');
    if (watch.initialCount === 0 || told.size >= watch.initialCount) watching.last = object.revision;
    if (type === 'DELETED') told.delete(object.key);
    else told.set(object.key, object.revision);
  }
  assert.ok(watching.last <= Math.max(revision, watch.initialRevision), 'a bookmark would not be behind');
}

async function apply(resource: TestResource, key: string, odd: boolean | undefined): Promise<number> {
  const result = await resource.storage.update(key, undefined, (current) => {
    if (odd === undefined) return { type: 'delete' };
    const object = configMap(key.split('/').at(-1) ?? '', { labels: { odd: String(odd) } });
    object.metadata.uid = 'u';
    object.data = { was: String(current?.revision ?? 0) };
    return { type: 'write', object };
  });
  return result.changed ? (result.stored?.revision ?? 0) : 0;
}

/** A past state is complete or unavailable. */
function checkPast(resource: TestResource, revision: number, then: State): void {
  const past = resource.cacher.stateAt(revision);
  if (past === undefined) return;
  const keys = [...then.keys()].sort();
  assert.deepEqual(
    Array.from(past.range(PREFIX), (object) => [object.key, object.revision]),
    keys.map((key) => [key, then.get(key)?.revision]),
  );
  for (const from of [PREFIX, `${PREFIX}x/`, `${PREFIX}x/b`, `${PREFIX}xy/a\0`]) {
    for (const prefix of [PREFIX, `${PREFIX}x/`]) {
      const expected = keys.filter((key) => key.startsWith(prefix) && key >= from);
      assert.deepEqual(
        Array.from(past.range(prefix, from), ({ key }) => key),
        expected,
      );
      assert.equal(past.count(prefix, from), expected.length);
    }
  }
}

it('every watch, from any revision and through any selection, converges to the state of the store', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      await using resource = testResource({ cacher: { windowSize: 4, windowMs: 1000 } });
      await resource.cacher.ready();
      const state = new Map<string, { revision: number; odd: boolean }>();
      const log: { revision: number; state: State }[] = [{ revision: resource.cacher.revision, state: new Map() }];
      const watching: Watching[] = [];
      for (const each of steps) {
        if (each.type === 'write' || each.type === 'delete') {
          const key = `${PREFIX}${each.namespace}/${each.name}`;
          const odd = each.type === 'write' ? each.odd : undefined;
          const revision = await apply(resource, key, odd);
          if (revision === 0) continue;
          if (odd === undefined) state.delete(key);
          else state.set(key, { revision, odd });
          log.push({ revision, state: new Map(state) });
        } else if (each.type === 'watch') {
          const from = each.back === null ? undefined : (log.at(-1 - each.back) ?? log[0]);
          const { selection } = each;
          const watch = resource.cacher.watch({
            prefix: prefixOf(selection),
            filter: filterOf(selection),
            fromRevision: from?.revision,
          });
          const told = from === undefined ? new Map<string, number>() : selected(from.state, selection);
          watching.push({ watch, selection, told, last: from?.revision ?? 0 });
        } else if (each.type === 'age') {
          resource.clock.skip(5000);
        } else if (each.type === 'turn') {
          await new Promise((resolve) => setImmediate(resolve));
        } else {
          watching.forEach(follow);
        }
      }
      await new Promise((resolve) => setImmediate(resolve));
      for (const { revision, state: then } of log) checkPast(resource, revision, then);
      for (const one of watching) {
        follow(one);
        assert.deepEqual(one.told, selected(state, one.selection), one.selection);
        assert.equal(one.watch.watcher.ended, undefined);
        assert.equal(one.watch.revision(), resource.cacher.revision);
      }
      assert.deepEqual(
        [...resource.cacher.range(PREFIX)].map(({ key, revision }) => [key, revision]),
        [...state].map(([key, { revision }]) => [key, revision]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      );
    }),
    { numRuns: 150 },
  );
});
