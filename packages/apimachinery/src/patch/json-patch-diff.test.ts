import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deepCopy, type JsonValue, parseJson } from '../json/index.js';
import { applyJsonPatch, createJsonPatch } from './index.js';

const cases: [name: string, before: JsonValue, after: JsonValue, patch: JsonValue][] = [
  ['nothing', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
  ['an addition', { a: 1 }, { a: 1, b: { c: 2 } }, [{ op: 'add', path: '/b', value: { c: 2 } }]],
  ['a removal', { a: 1, b: 2 }, { a: 1 }, [{ op: 'remove', path: '/b' }]],
  ['a deep change', { a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }, [{ op: 'replace', path: '/a/b/c', value: 2 }]],
  ['another type', { a: { b: 1 } }, { a: [1] }, [{ op: 'replace', path: '/a', value: [1] }]],
  ['null', { a: 1 }, { a: null }, [{ op: 'replace', path: '/a', value: null }]],
  ['keys with ~ and /', {}, { 'a/b~c': 1 }, [{ op: 'add', path: '/a~1b~0c', value: 1 }]],
  ['the whole document', 1, 'a', [{ op: 'replace', path: '', value: 'a' }]],
  ['an item at the start', [1, 2], [0, 1, 2], [{ op: 'add', path: '/0', value: 0 }]],
  ['an item at the end', [1], [1, 2], [{ op: 'add', path: '/1', value: 2 }]],
  [
    'removed items in the middle',
    [1, 2, 3, 4],
    [1, 4],
    [
      { op: 'remove', path: '/2' },
      { op: 'remove', path: '/1' },
    ],
  ],
  ['a changed item', [{ a: 1 }, { b: 1 }], [{ a: 1 }, { b: 2 }], [{ op: 'replace', path: '/1/b', value: 2 }]],
];

describe('createJsonPatch', () => {
  for (const [name, before, after, patch] of cases) {
    it(`describes ${name}`, () => assert.deepEqual(createJsonPatch(before, after), patch));
  }

  it('treats an undefined field as absent', () => {
    assert.deepEqual(createJsonPatch({ a: 1, b: undefined }, { a: undefined, c: undefined }), [
      { op: 'remove', path: '/a' },
    ]);
  });

  it('treats names of prototypes as data', () => {
    const { value } = parseJson('{"__proto__":{"a":1},"constructor":2}');
    assert.deepEqual(createJsonPatch({}, value), [
      { op: 'add', path: '/__proto__', value: { a: 1 } },
      { op: 'add', path: '/constructor', value: 2 },
    ]);
    assert.deepEqual(createJsonPatch({}, {}), []);
  });

  it('turns any document into any other', () => {
    const { value: document } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, 1, 'x', 9_007_199_254_740_993n),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom('a', 'b', '~', '/', 'toString'), tie('value'), { noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(document, document, (before, after) => {
        // Only an object or a list can be patched.
        const patch = createJsonPatch([before], [after]).map((change) => ({ ...change }));
        assert.deepEqual(applyJsonPatch(deepCopy([before]), patch), [after]);
      }),
      { numRuns: 500 },
    );
  });
});
