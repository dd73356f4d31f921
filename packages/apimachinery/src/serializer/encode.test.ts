import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { encodeTyped, encodeTypedText, encodeUntyped } from './index.js';
import { field, scalar, string, struct, widget } from './schema.testing.js';

test('fields are in schema order, map keys are sorted, HTML is escaped', () => {
  const object = {
    spec: { names: ['<'], ports: [{ targetPort: 'http', port: 80, unknown: 1 }] },
    data: { b: '2', a: '1', '10': 'x', '9': 'y' },
    apiVersion: 'v1',
    metadata: { labels: { x: 'y' }, name: 'n' },
    kind: 'Widget',
  };
  assert.equal(
    encodeTypedText(object, widget),
    '{"kind":"Widget","apiVersion":"v1","metadata":{"name":"n","labels":{"x":"y"}},"data":{"10":"x","9":"y","a":"1","b":"2"},"spec":{"ports":[{"port":80,"targetPort":"http"}],"names":["\\u003c"]}}',
  );
  assert.equal(Buffer.from(encodeTyped(object, widget)).toString(), encodeTypedText(object, widget));
});

test('zero values are written or omitted as in Go', () => {
  assert.equal(encodeTypedText({}, widget), '{"metadata":{},"spec":{"ports":null}}');
  assert.equal(
    encodeTypedText(
      {
        kind: '',
        metadata: { generation: 0 },
        data: {},
        spec: { replicas: 0, paused: false, ports: [{}, null], names: [] },
        status: { ready: 0 },
      },
      widget,
    ),
    '{"metadata":{},"spec":{"replicas":0,"ports":[{"port":0,"targetPort":0},{"port":0,"targetPort":0}]}}',
  );
  assert.equal(
    encodeTypedText({ spec: { ports: [] }, status: { ready: 1 } }, widget),
    '{"metadata":{},"spec":{"ports":[]},"status":{"ready":1}}',
  );
});

test('every type has a zero text', () => {
  const kinds = [
    'string',
    'boolean',
    'integer',
    'number',
    'bytes',
    'time',
    'microTime',
    'duration',
    'quantity',
    'intOrString',
    'any',
  ] as const;
  const all = struct(
    'All',
    kinds.map((kind) => field(kind, scalar(kind), 'omitempty')),
  );
  const none = struct(
    'None',
    kinds.map((kind) => field(kind, scalar(kind))),
  );
  const zeros =
    '"string":"","boolean":false,"integer":0,"number":0,"bytes":null,"time":null,"microTime":null,"duration":"0s","quantity":"0","intOrString":0,"any":null';
  assert.equal(encodeTypedText({}, none), `{${zeros}}`);
  assert.equal(
    encodeTypedText({}, all),
    '{"time":null,"microTime":null,"duration":"0s","quantity":"0","intOrString":0,"any":null}',
  );
  const pointers = struct(
    'Pointers',
    kinds.map((kind) => field(kind, scalar(kind), 'pointer')),
  );
  assert.equal(encodeTypedText({ string: '' }, pointers).slice(0, 27), '{"string":"","boolean":null');
});

test('a type may be recursive', () => {
  const fields = [field('name', string)];
  const tree: StructSchema = { name: 'test.v1.Tree', goName: 'Tree', fields, byName: new Map() };
  fields.push(field('children', { kind: 'list', items: { kind: 'struct', type: tree } }, 'omitempty'));
  assert.equal(
    encodeTypedText({ children: [{ name: 'a' }, {}] }, tree),
    '{"name":"","children":[{"name":"a"},{"name":""}]}',
  );
});

test('a field with a name from Object.prototype is read only from the object', () => {
  const odd = struct('Odd', [field('constructor', string, 'omitempty'), field('toString', string)]);
  assert.equal(encodeTypedText({}, odd), '{"toString":""}');
});

test('objects without a type have sorted keys at every level', () => {
  const text = (value: JsonValue) => Buffer.from(encodeUntyped(value)).toString();
  assert.equal(text({ b: [{ d: 1, c: 9007199254740993n }], a: undefined }), '{"b":[{"c":9007199254740993,"d":1}]}');
  assert.equal(text({ a: '\u00e9' }), '{"a":"\u00e9"}');
});
