import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeOpenApiV2 } from './gnostic-v2.js';

test('definitions become gnostic messages', () => {
  const document = {
    swagger: '2.0',
    definitions: { a: { type: 'object', properties: { b: { $ref: '#/x' } }, 'x-kubernetes-y': 'z' } },
  };
  const named = (key: string, value: number[]): number[] => [
    0x0a,
    3 + key.length + 1 + value.length,
    0x0a,
    key.length,
    ...Buffer.from(key),
    0x12,
    value.length,
    ...value,
  ];
  const type = [0xb2, 0x01, 8, 0x0a, 6, ...Buffer.from('object')];
  const properties = named('b', [0x0a, 3, ...Buffer.from('#/x')]);
  const extension = [0x0a, 14, ...Buffer.from('x-kubernetes-y'), 0x12, 5, 0x12, 3, ...Buffer.from('"z"')];
  const schema = [...type, 0xca, 0x01, properties.length, ...properties, 0xfa, 0x01, extension.length, ...extension];
  const definitions = named('a', schema);
  assert.deepEqual(
    [...encodeOpenApiV2(document)],
    [0x0a, 3, ...Buffer.from('2.0'), 0x4a, definitions.length, ...definitions],
  );
  assert.throws(() => encodeOpenApiV2({ host: 'x' }), /no protobuf form of OpenAPI property host/);
});

test('schemas of custom resources become messages with every part of v2', () => {
  const number = Buffer.alloc(8);
  number.writeDoubleLE(1.5);
  const schema = {
    minimum: 1.5,
    maximum: 0,
    maxLength: 300,
    enum: ['a', 1],
    default: { b: null },
    exclusiveMinimum: true,
    additionalProperties: true,
  };
  const any = (json: string): number[] => [2 + json.length, 0x12, json.length, ...Buffer.from(json)];
  const written = [
    [0x49, ...number],
    [0x58, 0xac, 0x02],
    [0xa2, 0x01, ...any('"a"'), 0xa2, 0x01, ...any('1')],
    [0x2a, ...any('{"b":null}')],
    [0x50, 1],
    [0xaa, 0x01, 2, 0x10, 1],
  ].flat();
  const named = [0x0a, 1, ...Buffer.from('a'), 0x12, written.length, ...written];
  assert.deepEqual(
    [...encodeOpenApiV2({ definitions: { a: schema } })],
    [0x4a, named.length + 2, 0x0a, named.length, ...named],
  );
});
