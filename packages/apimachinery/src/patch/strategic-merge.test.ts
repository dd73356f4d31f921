import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deepCopy, type JsonObject } from '../json/index.js';
import { applyStrategicMergePatch, applyStrategicMergePatchInSteps } from './index.js';
import { widgetSchema } from './schema.testing.js';

const document: JsonObject = {
  labels: { a: '1', b: '2' },
  finalizers: ['x', 'y'],
  containers: [
    { name: 'c1', image: 'i1', args: ['p', 'q'], env: [{ name: 'E1', value: '1' }] },
    { name: 'c2', image: 'i2' },
  ],
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '1' } },
  replaced: { maxSurge: '1' },
};

const [c1, c2] = [
  { name: 'c1', image: 'i1', args: ['p', 'q'], env: [{ name: 'E1', value: '1' }] },
  { name: 'c2', image: 'i2' },
];

const cases: readonly (readonly [string, JsonObject, JsonObject])[] = [
  [
    'changes an item by its key',
    { containers: [{ name: 'c2', image: 'j' }] },
    { containers: [c1, { name: 'c2', image: 'j' }] },
  ],
  [
    'puts a new item before those it does not name',
    { containers: [{ name: 'c3' }] },
    { containers: [{ name: 'c3' }, c1, c2] },
  ],
  ['deletes an item', { containers: [{ name: 'c1', $patch: 'delete' }] }, { containers: [c2] }],
  ['deletes an item that is not there', { containers: [{ name: 'z', $patch: 'delete' }] }, { containers: [c1, c2] }],
  ['replaces a list', { containers: [{ name: 'only' }, { $patch: 'replace' }] }, { containers: [{ name: 'only' }] }],
  [
    'merges inside items',
    { containers: [{ name: 'c1', env: [{ name: 'E2', value: '2' }], args: ['z'] }] },
    {
      containers: [
        {
          ...c1,
          args: ['z'],
          env: [
            { name: 'E2', value: '2' },
            { name: 'E1', value: '1' },
          ],
        },
        c2,
      ],
    },
  ],
  ['orders items', { '$setElementOrder/containers': [{ name: 'c2' }, { name: 'c1' }] }, { containers: [c2, c1] }],
  [
    'orders what it adds among what is there',
    { '$setElementOrder/containers': [{ name: 'c1' }, { name: 'c3' }], containers: [{ name: 'c3' }] },
    { containers: [c1, { name: 'c3' }, c2] },
  ],
  ['replaces an object', { labels: { $patch: 'replace', c: '3' } }, { labels: { c: '3' } }],
  ['deletes what is in an object', { labels: { $patch: 'delete' } }, { labels: {} }],
  ['deletes fields', { labels: { a: null, z: null }, replaced: null }, { labels: { b: '2' }, replaced: undefined }],
  ['retains keys', { strategy: { $retainKeys: ['type'], type: 'Recreate' } }, { strategy: { type: 'Recreate' } }],
  ['adds scalars once', { finalizers: ['y', 'z'] }, { finalizers: ['x', 'y', 'z'] }],
  ['deletes scalars', { '$deleteFromPrimitiveList/finalizers': ['x', 'q'] }, { finalizers: ['y'] }],
  [
    'deletes and orders scalars',
    { '$deleteFromPrimitiveList/finalizers': ['x'], '$setElementOrder/finalizers': ['z', 'y'], finalizers: ['z'] },
    { finalizers: ['z', 'y'] },
  ],
  ['takes a replaced struct whole', { replaced: {} }, { replaced: {} }],
  [
    'drops nulls and directives of what is new',
    { keyless: [{ name: 'k', image: null }, { $patch: 'replace' }] },
    { keyless: [{ name: 'k' }] },
  ],
];

const failures: readonly (readonly [string, JsonObject, number, string])[] = [
  [
    'a missing merge key',
    { containers: [{ image: 'x' }] },
    500,
    'map: map[image:x] does not contain declared merge key: name',
  ],
  ['an unknown directive', { labels: { $patch: 'frob' } }, 500, 'unknown patch type: frob in map: map[$patch:frob]'],
  [
    'a directive that is not text',
    { labels: { $patch: 5 } },
    500,
    'unknown patch type: %!s(int64=5) in map: map[$patch:5]',
  ],
  [
    'an unknown directive of an item',
    { containers: [{ name: 'c1', $patch: 'frob' }] },
    500,
    'unknown patch type: frob in map: map[$patch:frob name:c1]',
  ],
  ['an order that is not a list', { $setElementOrder: 1 }, 500, 'expected a []interface {}, but received a int64'],
  ['an order of nothing', { $setElementOrder: [] }, 400, 'invalid patch format of setElementOrder list'],
  ['a deletion from nothing', { $deleteFromPrimitiveList: [] }, 400, 'invalid patch format of primitive list'],
  [
    'retained keys that miss one',
    { strategy: { $retainKeys: [], type: 'x' } },
    400,
    'invalid patch format of retainKeys',
  ],
  [
    'an order that the patch contradicts',
    {
      '$setElementOrder/containers': [{ name: 'c2' }, { name: 'c1' }],
      containers: [{ name: 'c1' }, { name: 'c2' }],
    },
    500,
    "The order in patch list:\n[map[name:c1] map[name:c2]]\n doesn't match $setElementOrder list:\n[map[name:c2] map[name:c1]]\n",
  ],
  ['items of two types', { finalizers: [1] }, 500, 'list element types are not identical: [[x y] [1]]'],
  [
    'an object inside a map of texts',
    { labels: { o: { p: '1' } } },
    500,
    'merging an object in json but data type is not struct, instead is: map',
  ],
];

describe('applyStrategicMergePatch', () => {
  for (const [name, patch, result] of cases) {
    it(name, () => {
      const before = [deepCopy(document), deepCopy(patch)];
      const expected = { ...document, ...result };
      if (result.replaced === undefined && 'replaced' in result) delete expected.replaced;
      assert.deepEqual(applyStrategicMergePatch(document, patch, widgetSchema), expected);
      assert.deepEqual([document, patch], before);
    });
  }

  for (const [name, patch, code, message] of failures) {
    it(`rejects ${name}`, () => {
      const source = name.startsWith('an object') ? { labels: { o: { p: '2' } } } : document;
      assert.throws(() => applyStrategicMergePatch(source, patch, widgetSchema), { code, message });
    });
  }

  it('requires a merge key to merge objects', () => {
    assert.throws(() => applyStrategicMergePatch({ keyless: [c1] }, { keyless: [c2] }, widgetSchema), {
      message: 'cannot merge lists without merge key for struct',
    });
  });

  it('rejects a field that the type lacks', () => {
    assert.throws(() => applyStrategicMergePatch({ bogus: {} }, { bogus: {} }, widgetSchema), {
      message: 'unable to find api field in struct Widget for the json field "bogus"',
    });
    assert.deepEqual(applyStrategicMergePatch({}, { bogus: 1 }, widgetSchema), { bogus: 1 });
  });

  it('merges into a struct that the document omits', () => {
    const patch = { strategy: { $retainKeys: ['type'], type: 'Recreate' } };
    assert.deepEqual(applyStrategicMergePatch({}, patch, widgetSchema), { strategy: { type: 'Recreate' } });
  });

  it('stays linear in long lists', () => {
    const items = Array.from({ length: 20_000 }, (_, index) => ({ name: `n${index}` }));
    const result = applyStrategicMergePatch({ containers: items }, { containers: items.toReversed() }, widgetSchema);
    assert.equal(Array.isArray(result.containers) && result.containers.length, items.length);
  });

  it('keeps __proto__ as data', () => {
    const patch = JSON.parse('{"labels":{"__proto__":"1"}}') as JsonObject;
    const result = applyStrategicMergePatch({ labels: {} }, patch, widgetSchema);
    assert.equal(JSON.stringify(result), '{"labels":{"__proto__":"1"}}');
  });
});

it('merges large patches and documents in steps', () => {
  const named = (prefix: string): JsonObject =>
    Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`${prefix}${index}`, 'v']));
  const [old, added] = [named('k'), named('l')];
  const merges: readonly (readonly [JsonObject, JsonObject, JsonObject])[] = [
    [{ labels: old }, { labels: added }, { labels: { ...old, ...added } }],
    [{}, { labels: added }, { labels: added }],
    [{ labels: old }, { labels: { ...added, $patch: 'replace' } }, { labels: added }],
  ];
  for (const [before, patch, after] of merges) {
    let yields = 0;
    for (const _ of applyStrategicMergePatchInSteps(before, patch, widgetSchema)) yields++;
    assert.ok(yields >= 10, String(yields));
    assert.deepEqual(applyStrategicMergePatch(before, patch, widgetSchema), after);
  }
});
