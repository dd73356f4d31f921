import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeOpenApiV2 } from './gnostic.js';
import { ProtobufWriter } from './protobuf-writer.js';

test('messages longer than a byte can say are moved to make room for their length', () => {
  const writer = new ProtobufWriter();
  const text = 'x'.repeat(300);
  writer.message(1, () => {
    writer.message(2, () => writer.string(31, text));
    writer.true(3);
  });
  const inner = Buffer.concat([Buffer.from([0xfa, 0x01, 0xac, 0x02]), Buffer.from(text)]);
  const middle = Buffer.concat([Buffer.from([0x12, 0xb0, 0x02]), inner, Buffer.from([0x18, 0x01])]);
  assert.deepEqual(writer.finish(), Buffer.concat([Buffer.from([0x0a, 0xb5, 0x02]), middle]));
});

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
