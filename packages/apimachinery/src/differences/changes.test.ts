import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonValue } from '../json/index.js';
import { changesBetween, touches } from './changes.js';

const lines = (before: JsonValue | undefined, after: JsonValue | undefined): string[] =>
  changesBetween(before, after).map(
    (change) => `${change.text}: ${JSON.stringify(change.before)} ${JSON.stringify(change.after)}`,
  );

const app = (image: string) => ({ name: 'app', image });
const sidecar = { name: 'sidecar', image: 'proxy:1' };

describe('changes', () => {
  const table: readonly [string, JsonValue | undefined, JsonValue | undefined, readonly string[]][] = [
    ['a field', { spec: { replicas: 1 } }, { spec: { replicas: 3 } }, ['.spec.replicas: 1 3']],
    ['a new field', { a: {} }, { a: {}, b: 1 }, ['.b: undefined 1']],
    ['a field that is gone', { a: 1, b: [] }, { a: 1 }, ['.b: [] undefined']],
    ['a create', undefined, { a: { b: 1 } }, ['.a.b: undefined 1']],
    ['a label', { l: { 'a.b/c': 'x' } }, { l: { 'a.b/c': 'y' } }, ['.l["a.b/c"]: "x" "y"']],
    [
      'nothing but what every write changes',
      { metadata: { resourceVersion: '1', managedFields: [{}] } },
      { metadata: { resourceVersion: '2' } },
      [],
    ],
    [
      'an element with a name that has moved',
      { c: [app('a:1'), sidecar] },
      { c: [sidecar, app('a:2')] },
      ['.c[name=app].image: "a:1" "a:2"'],
    ],
    ['elements without names', { args: ['a', 'b'] }, { args: ['a', 'c'] }, ['.args[1]: "b" "c"']],
    ['names that are not unique', { c: [app('a'), app('b')] }, { c: [app('a'), app('c')] }, ['.c[1].image: "b" "c"']],
  ];
  for (const [name, before, after, expected] of table) {
    it(`tell ${name}`, () => assert.deepEqual(lines(before, after), expected));
  }

  it('touch the fields above and below', () => {
    const [change] = changesBetween({ spec: { replicas: 1 } }, { spec: { replicas: 2 } });
    assert.ok(change !== undefined);
    for (const field of ['.spec.replicas', '.spec', '.spec.replicas.x']) assert.ok(touches(change, field), field);
    for (const field of ['.spec.replica', '.spe', '.status']) assert.ok(!touches(change, field), field);
  });
});
