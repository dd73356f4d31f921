import assert from 'node:assert/strict';
import { it } from 'node:test';
import { encodeOpenApiV2InSteps } from './gnostic-v2.js';
import { encodeOpenApiV3InSteps } from './gnostic-v3.js';

const named = <T>(count: number, value: T) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, value]));

it('encodes a document path by path and type by type, also when others encode between two steps', () => {
  const schema = { type: 'object', description: 'd'.repeat(300) };
  const path = { get: { description: 'e', responses: { '200': { description: 'ok' } } } };
  for (const [encode, document] of [
    [encodeOpenApiV2InSteps, { swagger: '2.0', paths: named(40, path), definitions: named(60, schema) }],
    [encodeOpenApiV3InSteps, { openapi: '3.0.0', paths: named(40, path), components: { schemas: named(60, schema) } }],
  ] as const) {
    const [one, other] = [encode(document), encode(document)];
    let steps = 0;
    let [first, second] = [one.next(), other.next()];
    for (; first.done !== true && second.done !== true; [first, second] = [one.next(), other.next()]) steps++;
    assert.equal(steps, 100);
    assert.deepEqual(first.value, second.value);
    assert.ok(first.value !== undefined && first.value.length > 60 * 300);
  }
});
