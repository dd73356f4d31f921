import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import { convertedObject, InvalidConversion } from './converted-object.js';

const metadata = {
  name: 'a',
  namespace: 'n',
  uid: 'u',
  resourceVersion: '7',
  labels: { old: 'l' },
  annotations: { old: 'a' },
};
const original: JsonObject = { apiVersion: 'example.com/v1', kind: 'CronTab', metadata, spec: { a: 1 } };
const answer: JsonObject = { ...original, apiVersion: 'example.com/v2', spec: { b: 1 } };

describe('a converted object', () => {
  it('has the content of the answer, and of its metadata only labels and annotations', () => {
    const given = { ...metadata, resourceVersion: '9', finalizers: ['x/y'], labels: { new: 'l' }, annotations: {} };
    assert.deepEqual(convertedObject(original, { ...answer, metadata: given }, 'example.com/v2'), {
      ...answer,
      metadata: { ...metadata, labels: { new: 'l' }, annotations: {} },
    });
  });

  it('loses labels and annotations that the answer lacks', () => {
    const { labels: _, annotations: __, ...rest } = metadata;
    for (const without of [rest, { ...rest, labels: null, annotations: null }]) {
      assert.deepEqual(convertedObject(original, { ...answer, metadata: without }, 'example.com/v2')['metadata'], rest);
    }
  });

  it('keeps a label named __proto__ as data', () => {
    const labels = JSON.parse('{"__proto__":"x"}') as JsonObject;
    assert.throws(() => convertedObject(original, { ...answer, metadata: { ...metadata, labels } }, 'example.com/v2'), {
      part: 'metadata',
      message: /^metadata\.labels: Invalid value: "__proto__"/,
    });
  });

  const refused: [given: JsonValue | undefined, part: 'object' | 'metadata', message: string][] = [
    [undefined, 'object', 'it is not an object'],
    [[], 'object', 'it is not an object'],
    [original, 'object', 'invalid groupVersion (expected example.com/v2, received example.com/v1)'],
    [{ ...answer, kind: 'Job' }, 'object', 'invalid kind (expected CronTab, received Job)'],
    [{ ...answer, metadata: { ...metadata, name: 'b' } }, 'object', 'must have the same name: a != b'],
    [{ ...answer, metadata: { ...metadata, namespace: 'm' } }, 'object', 'must have the same namespace: n != m'],
    [{ ...answer, metadata: { ...metadata, uid: 'v' } }, 'object', 'must have the same UID: u != v'],
    [{ ...answer, metadata: null }, 'object', 'must have the same name: a != '],
    [{ ...answer, metadata: { ...metadata, labels: 'x' } }, 'metadata', 'invalid metadata.labels in converted object'],
    [
      { ...answer, metadata: { ...metadata, annotations: { a: 1 } } },
      'metadata',
      'metadata.annotations[a] must be a string in converted object',
    ],
  ];
  for (const [given, part, message] of refused) {
    it(`is refused: ${message}`, () => {
      assert.throws(
        () => convertedObject(original, given, 'example.com/v2'),
        (error) => error instanceof InvalidConversion && error.part === part && error.message === message,
      );
    });
  }

  it('needs metadata even if the original has no identity', () => {
    assert.throws(() => convertedObject({ kind: 'CronTab' }, { apiVersion: 'v2', kind: 'CronTab' }, 'v2'), {
      part: 'metadata',
      message: 'missing metadata in converted object',
    });
  });
});
