import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeOpenApiV2 } from './gnostic.js';

test('definitions go into gnostic messages', () => {
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
