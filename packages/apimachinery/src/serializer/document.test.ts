import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonObject, parseJson } from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { counted } from '../testing/index.js';
import { finish } from '../work/index.js';
import { encodeTyped, encodeUntyped, typedDocumentInSteps, untypedDocumentInSteps } from './index.js';
import { field, scalar, string, struct, widget } from './schema.testing.js';

const KINDS = [
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

const names: StructSchema = struct('Names', [
  field('toString', string),
  field('constructor', string, 'omitempty'),
  field('byName', { kind: 'map', values: { kind: 'struct', type: widget } }, 'omitempty'),
  field('counts', { kind: 'map', values: scalar('integer') }, 'omitempty'),
]);
const required = struct(
  'Required',
  KINDS.map((kind) => field(kind, scalar(kind))),
);
const omitted = struct(
  'Omitted',
  KINDS.map((kind) => field(kind, scalar(kind), 'omitempty omitzero')),
);
const pointers = struct(
  'Pointers',
  KINDS.map((kind) => field(kind, scalar(kind), 'pointer')),
);
const zeros = Object.fromEntries(KINDS.map((kind) => [kind, kind === 'boolean' ? false : kind === 'integer' ? 0 : '']));

const cases: Record<string, readonly [JsonObject, StructSchema]> = {
  'an empty object': [{}, widget],
  'fields that the schema does not have': [
    { metadata: { name: 'a', x: 1 }, spec: { ports: [{ y: 1 }] }, z: 1 },
    widget,
  ],
  'zero values': [
    { kind: '', metadata: { generation: 0 }, data: {}, spec: { replicas: 0, ports: [{}, null], names: [] } },
    widget,
  ],
  'a struct that is shown as zero': [{ status: { ready: 0 } }, widget],
  'a struct that is not zero': [{ status: { ready: 1 } }, widget],
  'null in lists and maps': [
    { spec: { names: ['a', null], limits: { cpu: null, memory: '1' }, secrets: { a: null } } },
    widget,
  ],
  'absent members': [{ data: { a: undefined }, spec: { limits: { cpu: undefined, memory: '1' } } }, widget],
  numbers: [
    { metadata: { generation: 9007199254740993n }, spec: { weight: 0.5, template: { a: [1.5, null] } } },
    widget,
  ],
  'values of other types': [{ metadata: 1, data: ['a'], spec: { ports: 'x', names: {} } }, widget],
  'names of Object.prototype': [{ counts: { constructor: 1 } }, names],
  'keys like __proto__': [
    parseJson('{"byName":{"__proto__":{"kind":"a"}},"counts":{"__proto__":null}}').value as JsonObject,
    names,
  ],
  'absent values of every type': [{}, required],
  'zero values of every type': [zeros, required],
  'zero values that are omitted': [zeros, omitted],
  'zero values of pointers': [zeros, pointers],
};

const parsed = (bytes: Uint8Array): unknown => parseJson(bytes).value;

describe('the document of an object', () => {
  for (const [name, [object, schema]] of Object.entries(cases)) {
    it(`is what encoding and parsing gives: ${name}`, () => {
      const before = structuredClone(object);
      assert.deepEqual(plain(finish(typedDocumentInSteps(object, schema))), parsed(encodeTyped(object, schema)));
      assert.deepEqual(plain(finish(untypedDocumentInSteps(object))), parsed(encodeUntyped(object)));
      assert.deepEqual(object, before);
    });
  }

  it('shares the maps and lists of scalars', () => {
    const object = { data: { a: '1' }, spec: { names: ['a'] } };
    const document = finish(typedDocumentInSteps(object, widget));
    assert.equal(document['data'], object.data);
    assert.equal((document['spec'] as JsonObject)['names'], object.spec.names);
    assert.notEqual(document['spec'], object.spec);
    const untyped = finish(untypedDocumentInSteps(object));
    assert.notEqual(untyped, object);
    assert.equal(untyped['spec'], object.spec);
  });

  it('takes steps when it is large', () => {
    const object = { spec: { ports: Array.from({ length: 20_000 }, (_, port) => ({ port })) } };
    for (const steps of [typedDocumentInSteps(object, widget), untypedDocumentInSteps(object)]) {
      const { result, yields } = counted(steps);
      assert.ok(yields >= 5, `${yields}`);
      const { ports } = result['spec'] as { ports: unknown[] };
      assert.equal(ports.length, 20_000);
    }
  });
});

/** Without members that are absent. */
function plain(document: JsonObject): unknown {
  return parsed(encodeUntyped(document));
}
