import assert from 'node:assert/strict';
import { finish } from '../work/index.js';
import { describe, test } from 'node:test';
import { Budget } from '../cel/index.js';
import {
  applyConfigurationOf,
  compileAdmissionExpression,
  type ExpressionKind,
  jsonPatchOf,
  PatchValueError,
  type Value,
} from './index.js';
import { programs } from './programs.js';

function valueOf(source: string, kind: ExpressionKind): Value {
  const compiled = compileAdmissionExpression(source, kind, { patches: true });
  assert.ok(!('problem' in compiled), 'problem' in compiled ? compiled.problem : '');
  return finish(programs.make(compiled))(() => undefined, new Budget(1_000_000));
}

const applied = (source: string) => applyConfigurationOf(valueOf(source, 'applyConfiguration'));
const patched = (source: string) => jsonPatchOf(valueOf(source, 'jsonPatch'));

function refused(run: () => unknown, message: string): void {
  assert.throws(run, (error) => error instanceof PatchValueError && error.message.startsWith(message));
}

describe('an apply configuration', () => {
  test('is the document of an object', () => {
    assert.deepEqual(
      applied('Object{spec: Object.spec{replicas: 1, list: [Object.spec.list{a: true}], map: {"b": 1.5, "c": 2.0}}}'),
      { spec: { replicas: 1, list: [{ a: true }], map: { b: 1.5, c: 2 } } },
    );
    assert.deepEqual(applied('Object{at: timestamp("2020-01-01T00:00:00Z"), big: 9007199254740993, none: null}'), {
      at: '2020-01-01T00:00:00Z',
      big: 9007199254740993n,
      none: null,
    });
    assert.deepEqual(applied('Object{labels: {"__proto__": "x"}}').labels, JSON.parse('{"__proto__":"x"}'));
  });

  test('holds the content of optionals, and durations in nanoseconds', () => {
    assert.deepEqual(
      applied('Object{a: optional.of("x"), b: optional.none(), c: duration("5s"), d: [optional.of(1)]}'),
      {
        a: 'x',
        b: null,
        c: 5_000_000_000,
        d: [1],
      },
    );
  });

  test('names the type of each object after its place', () => {
    refused(
      () => applied('Object{spec: Object.spec{a: Object.wrong{}}}'),
      'type mismatch: unexpected type name "Object.wrong", expected "Object.spec.a", which matches field name path from root Object type',
    );
  });

  test('has a bounded size, however often it repeats a list', () => {
    const list = (depth: number): string =>
      depth === 0 ? '[1,2,3,4,5,6,7,8,9,0]' : `[0,1,2,3,4,5,6,7,8,9].map(v${depth}, ${list(depth - 1)})`;
    refused(() => applied(`Object{a: ${Array(40).fill(list(3)).join(' + ')}}`), 'the patch is too large');
  });
});

describe('a JSON patch', () => {
  const add = (value: string) => patched(`[JSONPatch{op: "add", path: "/y", value: ${value}}]`)[0]?.['value'];

  test('holds the content of optionals, and durations as texts', () => {
    assert.deepEqual(add('optional.of(optional.of("x"))'), 'x');
    assert.deepEqual(add('{"a": optional.of(duration("90s"))}'), { a: '90s' });
    refused(
      () => add('{"a": optional.none()}'),
      'JSONPath valueExpression evaluated to a type that could not marshal to JSON: optional.none() dereference',
    );
    refused(() => add('type(1)'), 'JSONPath valueExpression evaluated to a type that could not marshal to JSON');
  });

  test('is the list of its operations', () => {
    assert.deepEqual(
      patched(
        '[JSONPatch{op: "copy", from: "/a/" + jsonpatch.escapeKey("b/c~d"), path: "/x"}, JSONPatch{op: "add", path: "/y", value: null}]',
      ),
      [
        { op: 'copy', path: '/x', from: '/a/b~1c~0d' },
        { op: 'add', path: '/y', value: null },
      ],
    );
    assert.deepEqual(patched('[JSONPatch{op: "add", path: "/y", value: [Object.y{z: 1}]}]'), [
      { op: 'add', path: '/y', value: [{ z: 1 }] },
    ]);
  });

  test('has a bounded number of operations, however often it repeats a list', () => {
    const operations = '[[1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map(n, JSONPatch{op: "add", path: "/y", value: n})]';
    const grown = `${operations}${'.map(l, [l, l, l, l, l, l, l, l, l, l].flatten())'.repeat(6)}`;
    refused(() => patched(`${grown}[0]`), 'the patch is too large');
  });

  test('has texts for paths', () => {
    refused(() => patched('[JSONPatch{op: "add", path: dyn(1)}]'), "unexpected type for JSONPatchType 'path' field");
  });
});
