import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { encodeOpenApiV3 } from './gnostic-v3.js';

/** A field with bytes: its number and its content. */
const field = (number: number, ...value: (number | string | readonly number[])[]): number[] => {
  const bytes = value.flatMap((each) =>
    typeof each === 'string' ? [...Buffer.from(each)] : typeof each === 'number' ? [each] : [...each],
  );
  const tag = number * 8 + 2;
  return [...(tag < 0x80 ? [tag] : [(tag % 128) | 0x80, tag >> 7]), bytes.length, ...bytes];
};

test('a v3 document becomes gnostic messages', () => {
  const content = { 'application/json': { schema: { $ref: '#/x' } } };
  const written = encodeOpenApiV3({
    openapi: '3.0.0',
    info: { title: 'T', version: 'v' },
    paths: {
      '/p': { get: { responses: { 200: { description: 'OK', content } }, 'x-kubernetes-action': 'list' } },
    },
  });
  const mediaType = field(1, 'application/json').concat(field(2, field(1, field(2, field(1, '#/x')))));
  const response = field(1, field(1, 'OK'), field(3, field(1, mediaType)));
  const get = field(
    4,
    field(8, field(2, field(1, '200'), field(2, response))),
    field(13, [...field(1, 'x-kubernetes-action'), ...field(2, field(2, '"list"'))]),
  );
  assert.deepEqual(
    [...written],
    [
      ...field(1, '3.0.0'),
      ...field(2, field(1, 'T'), field(6, 'v')),
      ...field(4, field(1, field(1, '/p'), field(2, get))),
    ],
  );
  assert.throws(() => encodeOpenApiV3({ servers: [] }), /no protobuf form of OpenAPI property servers/);
});

const schemas: readonly (readonly [schema: JsonObject, message: number[]])[] = [
  [{ default: 0 }, field(33, 0x09, 0, 0, 0, 0, 0, 0, 0, 0)],
  [{ default: false }, field(33, 0x10, 0)],
  [{ default: '' }, field(33, 0x1a, 0)],
  [{ default: { a: 1 } }, field(33)],
  [{ nullable: true, type: 'string', pattern: '' }, [0x08, 1, ...field(25, 'string')]],
  [{ allOf: [{ $ref: '#/x' }] }, field(26, field(2, field(1, '#/x')))],
  [
    { anyOf: [{ format: 'a' }], not: { format: 'b' } },
    [...field(28, field(1, field(35, 'a'))), ...field(29, field(35, 'b'))],
  ],
  [{ items: { format: 'a' } }, field(30, field(1, field(1, field(35, 'a'))))],
  [{ properties: { p: {} } }, field(31, field(1, field(1, 'p'), field(2, field(1))))],
  [{ additionalProperties: false }, field(32, 0x10, 0)],
  [{ additionalProperties: { format: 'a' } }, field(32, field(1, field(1, field(35, 'a'))))],
  [
    { enum: [1, 'a'], 'x-y': [] },
    [
      ...field(24, field(2, '1')),
      ...field(24, field(2, '"a"')),
      ...field(36, field(1, 'x-y'), field(2, field(2, '[]'))),
    ],
  ],
];

for (const [schema, message] of schemas) {
  test(`a schema of v3 becomes a message: ${JSON.stringify(schema)}`, () => {
    const schemasOfDocument = field(1, field(1, field(1, 'a'), field(2, field(1, message))));
    assert.deepEqual([...encodeOpenApiV3({ components: { schemas: { a: schema } } })], field(5, schemasOfDocument));
  });
}
