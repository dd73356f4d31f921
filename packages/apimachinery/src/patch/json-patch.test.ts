import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { deepCopy, isObject, type JsonObject, type JsonValue } from '../json/index.js';
import { StatusError } from '../status/index.js';
import { counted } from '../testing/index.js';
import { finish, WorkBudget } from '../work/index.js';
import { applyJsonPatch, applyJsonPatchInSteps } from './index.js';

interface Vector {
  readonly name: string;
  readonly document: JsonValue;
  readonly patch: JsonValue;
  /** Absent: the patch is rejected with 422. */
  readonly result?: JsonValue;
}

const vectors: readonly Vector[] = [
  { name: 'add a member', document: { a: 1 }, patch: [{ op: 'add', path: '/b', value: 2 }], result: { a: 1, b: 2 } },
  {
    name: 'add over a member',
    document: { a: 1 },
    patch: [{ op: 'add', path: '/a', value: null }],
    result: { a: null },
  },
  { name: 'insert', document: [1, 3], patch: [{ op: 'add', path: '/1', value: 2 }], result: [1, 2, 3] },
  { name: 'insert at the end', document: [1], patch: [{ op: 'add', path: '/1', value: 2 }], result: [1, 2] },
  { name: 'append', document: { a: [1] }, patch: [{ op: 'add', path: '/a/-', value: [2] }], result: { a: [1, [2]] } },
  { name: 'beyond the end', document: [1], patch: [{ op: 'add', path: '/2', value: 2 }] },
  { name: 'from the end', document: [1, 2], patch: [{ op: 'replace', path: '/-1', value: 3 }], result: [1, 3] },
  { name: 'not an index', document: [1], patch: [{ op: 'add', path: '/x', value: 2 }] },
  { name: 'without a parent', document: {}, patch: [{ op: 'add', path: '/a/b', value: 2 }] },
  { name: 'below a scalar', document: { a: 1 }, patch: [{ op: 'add', path: '/a/b', value: 2 }] },
  {
    name: 'the whole document',
    document: { a: 1 },
    patch: [
      { op: 'replace', path: '', value: { b: 1 } },
      { op: 'test', path: '', value: { b: 1 } },
    ],
    result: { b: 1 },
  },
  { name: 'null for the whole document', document: { a: 1 }, patch: [{ op: 'replace', path: '' }] },
  { name: 'add to nothing', document: { a: 1 }, patch: [{ op: 'add', path: '', value: {} }] },
  { name: 'copy all', document: { a: 1 }, patch: [{ op: 'copy', from: '', path: '/b' }] },
  {
    name: 'text before the first slash',
    document: {},
    patch: [{ op: 'add', path: 'x/a', value: 1 }],
    result: { a: 1 },
  },
  {
    name: 'an unused from',
    document: {},
    patch: [{ op: 'add', from: 'no pointer', path: '/a', value: 1 }],
    result: { a: 1 },
  },
  { name: 'no slash', document: { a: 1 }, patch: [{ op: 'replace', path: 'a', value: 1 }] },
  {
    name: 'copy a missing value',
    document: {},
    patch: [{ op: 'copy', from: '/a', path: '/b' }],
    result: { b: null },
  },
  { name: 'test inside a missing value', document: {}, patch: [{ op: 'test', path: '/a/b', value: null }] },
  { name: 'test beyond a list', document: [1], patch: [{ op: 'test', path: '/1', value: null }] },
  { name: 'remove', document: { a: 1, b: [1, 2] }, patch: [{ op: 'remove', path: '/b/0' }], result: { a: 1, b: [2] } },
  { name: 'remove a missing value', document: {}, patch: [{ op: 'remove', path: '/a' }] },
  {
    name: 'replace',
    document: { a: { b: 1 } },
    patch: [{ op: 'replace', path: '/a/b', value: '' }],
    result: { a: { b: '' } },
  },
  {
    name: 'replace a missing value',
    document: {},
    patch: [{ op: 'replace', path: '/a', value: 1 }],
    result: { a: 1 },
  },
  { name: 'replace beyond a list', document: [1], patch: [{ op: 'replace', path: '/1', value: 1 }] },
  { name: 'move', document: { a: 1 }, patch: [{ op: 'move', from: '/a', path: '/b' }], result: { b: 1 } },
  {
    name: 'move within a list',
    document: [1, 2, 3],
    patch: [{ op: 'move', from: '/0', path: '/2' }],
    result: [2, 3, 1],
  },
  { name: 'move into itself', document: { a: { b: 1 } }, patch: [{ op: 'move', from: '/a', path: '/a/c' }] },
  { name: 'copy', document: { a: [1] }, patch: [{ op: 'copy', from: '/a', path: '/b' }], result: { a: [1], b: [1] } },
  { name: 'copy without from', document: { a: 1 }, patch: [{ op: 'copy', path: '/b' }] },
  {
    name: 'test',
    document: { a: { x: 1, y: [2] } },
    patch: [{ op: 'test', path: '/a', value: { y: [2], x: 1 } }],
    result: { a: { x: 1, y: [2] } },
  },
  { name: 'failed test', document: { a: 1 }, patch: [{ op: 'test', path: '/a', value: '1' }] },
  { name: 'test for absence', document: {}, patch: [{ op: 'test', path: '/a', value: null }], result: {} },
  {
    name: 'escapes',
    document: { 'a/b': 1, '~1': 2 },
    patch: [
      { op: 'remove', path: '/a~1b' },
      { op: 'remove', path: '/~01' },
    ],
    result: {},
  },
  { name: 'the empty key', document: { '': 1 }, patch: [{ op: 'replace', path: '/', value: 2 }], result: { '': 2 } },
  { name: 'unknown operation', document: {}, patch: [{ op: 'frob', path: '/a' }] },
  { name: 'no path', document: {}, patch: [{ op: 'add', value: 1 }] },
  { name: 'not a pointer', document: { a: 1 }, patch: [{ op: 'remove', path: 'a' }] },
  { name: 'a null operation', document: {}, patch: [null] },
  { name: 'the prototype', document: {}, patch: [{ op: 'add', path: '/__proto__/x', value: 1 }] },
  { name: 'an inherited member', document: {}, patch: [{ op: 'remove', path: '/constructor' }] },
];

describe('applyJsonPatch', () => {
  for (const { name, document, patch, result } of vectors) {
    it(name, () => {
      const before = deepCopy(document);
      if (result === undefined) {
        assert.throws(
          () => applyJsonPatch(document, patch),
          (error) => error instanceof StatusError && error.code === 422,
        );
      } else {
        assert.deepEqual(applyJsonPatch(document, patch), result);
      }
      assert.deepEqual(document, before);
    });
  }

  it('keeps __proto__ as data', () => {
    const result = applyJsonPatch({ data: {} }, [{ op: 'add', path: '/data/__proto__', value: '1' }]);
    assert.equal(JSON.stringify(result), '{"data":{"__proto__":"1"}}');
  });

  it('does not link a copy to its source', () => {
    const patch = [
      { op: 'add', path: '/a/x', value: 1 },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/b/y', value: 2 },
      { op: 'replace', path: '/a/x', value: 3 },
    ];
    assert.deepEqual(applyJsonPatch({ a: {} }, patch), { a: { x: 3 }, b: { x: 1, y: 2 } });
  });

  it('never changes its arguments, and shares unchanged parts', () => {
    const document = { a: { b: [1] }, c: { d: 1 } };
    const value = { list: [] };
    const patch = [
      { op: 'add', path: '/a/b/0', value },
      { op: 'add', path: '/a/b/0/list/-', value: 5 },
    ];
    const result = applyJsonPatch(document, patch);
    assert.deepEqual(result, { a: { b: [{ list: [5] }, 1] }, c: { d: 1 } });
    assert.deepEqual(value, { list: [] });
    assert.deepEqual(document, { a: { b: [1] }, c: { d: 1 } });
    assert.equal(typeof result === 'object' && result !== null && 'c' in result && result.c === document.c, true);
  });

  it('reports an invalid patch', () => {
    const cases: readonly (readonly [JsonValue, string])[] = [
      [{ a: 1 }, 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
      [[5], 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
      [
        [{ op: 5 }],
        'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
      ],
    ];
    for (const [patch, message] of cases) {
      assert.throws(() => applyJsonPatch({}, patch), { message, code: 400 });
    }
  });

  it('bounds operations and copies', () => {
    const remove = { op: 'remove', path: '/a' };
    assert.throws(() => applyJsonPatch({ a: 1 }, [remove, remove], { operations: 1 }), {
      code: 413,
      message: 'Request entity is too large: The allowed maximum operations in a JSON patch is 1, got 2',
    });
    assert.throws(
      () =>
        applyJsonPatch(
          {},
          Array.from({ length: 10_001 }, () => remove),
        ),
      {
        message: 'Request entity is too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
      },
    );
    const copies = ['/b', '/c'].map((path) => ({ op: 'copy', from: '/a', path }));
    assert.deepEqual(applyJsonPatch({ a: '12' }, copies, { copiedBytes: 8 }), { a: '12', b: '12', c: '12' });
    assert.throws(() => applyJsonPatch({ a: '12' }, copies, { copiedBytes: 7 }), { code: 422 });
    const doubling = Array.from({ length: 24 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
    assert.throws(() => applyJsonPatch({ a: ['x'] }, doubling), { code: 422 });
  });

  it('bounds depth', () => {
    const nest = Array.from({ length: 1200 }, (_, depth) => ({ op: 'add', path: '/a'.repeat(depth + 1), value: {} }));
    assert.throws(() => applyJsonPatch({}, nest), { code: 422 });
  });

  it('a test of an added value succeeds', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (document, key, value) => {
        const source = document as JsonValue;
        const added = value as JsonValue;
        const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        const patch = [
          { op: 'add', path, value: added },
          { op: 'test', path, value: added },
          { op: 'copy', from: path, path: '/copied' },
          { op: 'test', path: '/copied', value: added },
        ];
        assert.doesNotThrow(() => applyJsonPatch(source, patch));
      }),
    );
  });
});

describe('the work of a JSON patch', () => {
  const list = Array.from({ length: 100_000 }, () => 1);
  const operations = (count: number, make: (index: number) => JsonValue) =>
    Array.from({ length: count }, (_, index) => make(index));
  const isTooLarge = (error: unknown) => error instanceof StatusError && error.code === 413;

  it('counts the list items moved', () => {
    const patch = (path: string) => operations(1000, () => ({ op: 'remove', path }));
    const budget = () => new WorkBudget({ units: 20_000, addedBytes: 0 });
    assert.throws(() => applyJsonPatch({ list }, patch('/list/0'), { budget: budget() }), isTooLarge);
    applyJsonPatch({ list }, patch('/list/-1'), { budget: budget() });
  });

  it('rejects ten thousand inserts at the head of a million items, and accepts as many for ten thousand', () => {
    const large = Array.from({ length: 1_000_000 }, () => 1);
    for (const operation of [
      { op: 'remove', path: '/x/0' },
      { op: 'add', path: '/x/0', value: 1 },
      { op: 'move', from: '/x/0', path: '/x/-' },
      { op: 'copy', from: '/x/0', path: '/x/0' },
    ]) {
      const patch = operations(10_000, () => operation);
      assert.throws(() => applyJsonPatch({ x: large }, patch), isTooLarge);
      applyJsonPatch({ x: large.slice(0, 30_000) }, patch);
    }
  });

  it('copies, compares and measures large objects in steps', () => {
    const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 'v']));
    for (const [operation, expected] of [
      [{ op: 'add', path: '/data/new', value: 'v' }, 20_001],
      [{ op: 'remove', path: '/data/k1' }, 19_999],
      [{ op: 'replace', path: '/data/k1', value: 'w' }, 20_000],
      [{ op: 'test', path: '/data', value: data }, 20_000],
      [{ op: 'copy', from: '/data', path: '/data' }, 20_000],
    ] as const) {
      const document = { data };
      const { result, yields } = counted(applyJsonPatchInSteps(document, [operation]));
      assert.ok(isObject(result) && isObject(result.data));
      assert.equal(Object.keys(result.data).length, expected);
      assert.ok(yields >= 3, `${operation.op}: ${yields} steps`);
      assert.equal(Object.keys(document.data).length, 20_000);
    }
  });

  it('runs in steps', () => {
    const steps = applyJsonPatchInSteps(
      { list },
      operations(200, () => ({ op: 'add', path: '/list/0', value: 2 })),
    );
    assert.equal(steps.next().done, false);
    const result = finish(steps);
    assert.deepEqual(result, { list: [...Array.from({ length: 200 }, () => 2), ...list] });
  });
});

describe('the path of an operation', () => {
  for (const [op, path, from] of [
    ['add', '/a'.repeat(1001)],
    ['add', '/a'.repeat(100_000)],
    ['move', '/b', '/a'.repeat(1001)],
    ['copy', '/b', '/a'.repeat(100_000)],
  ] as const) {
    it(`is read to a thousand tokens: ${op}`, (context) => {
      const tokens = context.mock.method(String.prototype, 'replace');
      const patch = [{ op, path, value: 1, ...(from === undefined ? {} : { from }) }];
      assert.throws(
        () => applyJsonPatch({ a: 1 }, patch),
        (error) => error instanceof StatusError && error.code === 422 && /too deep/.test(String(error.cause)),
      );
      assert.ok(tokens.mock.callCount() < 1100, String(tokens.mock.callCount()));
    });
  }
});

describe('why a patch is rejected', () => {
  const document = { list: ['a'], map: { x: '1' }, text: 't' };
  const cases: readonly (readonly [operation: JsonObject, why: string])[] = [
    [{ op: 'frob', path: '/map' }, 'Unexpected kind: frob'],
    [{ path: '/map' }, 'Unexpected kind: unknown'],
    [{ op: 'add', path: null }, 'add operation failed to decode path: missing value'],
    [{ op: 'test' }, 'test operation failed to decode path: operation missing path field: missing value'],
    [
      { op: 'move', path: '/map' },
      'move operation failed to decode from: operation, missing from field: missing value',
    ],
    [{ op: 'remove', path: 'map' }, 'remove operation does not apply: doc is missing path: "map": missing value'],
    [{ op: 'copy', from: '', path: '/b' }, 'copy operation does not apply: doc is missing from path: : missing value'],
    [{ op: 'test', path: '/~2/x' }, 'test operation does not apply: is missing path: /~2/x: missing value'],
    [
      { op: 'add', path: '/none/x', value: 1 },
      'add operation does not apply: doc is missing path: "/none/x": missing value',
    ],
    [
      { op: 'add', path: '/list/7', value: 1 },
      "error in add for path: '/list/7': Unable to access invalid index: 7: invalid index referenced",
    ],
    [
      { op: 'add', path: '/list/x', value: 1 },
      "error in add for path: '/list/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
    ],
    [
      { op: 'remove', path: '/map/a~1b' },
      "error in remove for path: '/map/a~1b': Unable to remove nonexistent key: a/b: missing value",
    ],
    [
      { op: 'remove', path: '/text/x' },
      'remove operation does not apply: doc is missing path: "/text/x": missing value',
    ],
    [
      { op: 'replace', path: '/list/3', value: 1 },
      'replace operation does not apply: doc is missing key: /list/3: missing value',
    ],
    [{ op: 'test', path: '/map/x', value: '2' }, 'testing value /map/x failed: test failed'],
    [
      { op: 'test', path: '/none/x', value: '2' },
      'test operation does not apply: is missing path: /none/x: missing value',
    ],
    [
      { op: 'move', from: '/map/y', path: '/map/z' },
      "error in move for path: 'y': Unable to remove nonexistent key: y: missing value",
    ],
    [
      { op: 'move', from: '/map/x', path: '/none/z' },
      'move operation does not apply: doc is missing destination path: /none/z: missing value',
    ],
    [
      { op: 'copy', from: '/none/x', path: '/map/z' },
      'copy operation does not apply: doc is missing from path: /none/x: missing value',
    ],
    [
      { op: 'copy', from: '/list/5', path: '/map/z' },
      "error in copy for from: '/list/5': Unable to access invalid index: 5: invalid index referenced",
    ],
  ];
  for (const [operation, why] of cases) {
    it(JSON.stringify(operation), () => {
      assert.throws(
        () => applyJsonPatch(document, [operation]),
        (error) => error instanceof StatusError && error.cause instanceof Error && error.cause.message === why,
      );
    });
  }
});
