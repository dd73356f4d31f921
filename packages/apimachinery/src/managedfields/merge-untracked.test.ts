import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../json/index.js';
import { mergeUntracked, UntrackedMergeError } from './index.js';
import { thingSchema } from './schema.testing.js';

const document: JsonObject = {
  metadata: { name: 'a', labels: { x: '1' } },
  spec: { replicas: 1, containers: [{ name: 'c', image: 'i', args: ['a'] }], options: { o: '1' } },
};

describe('mergeUntracked', () => {
  it('merges maps, structs and keyed lists', () => {
    const configuration = {
      metadata: { labels: { y: '2' } },
      spec: { containers: [{ name: 'c', image: 'j' }, { name: 'd' }] },
    };
    assert.deepEqual(mergeUntracked(document, configuration, thingSchema), {
      metadata: { name: 'a', labels: { x: '1', y: '2' } },
      spec: {
        replicas: 1,
        containers: [{ name: 'c', image: 'j', args: ['a'] }, { name: 'd' }],
        options: { o: '1' },
      },
    });
  });

  const typed = 'failed to convert patch object to typed object: ';
  const whole = 'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ';
  const refused: readonly (readonly [configuration: JsonObject, message: string])[] = [
    [{ nope: 1 }, `${typed}.nope: field not declared in schema`],
    [{ data: null }, `${typed}.data: expected map, got &{NULL_VALUE}`],
    [{ data: { a: null } }, `${typed}.data.a: expected string, got &value.valueUnstructured{Value:0}`],
    [{ spec: { replicas: null } }, `${typed}.spec.replicas: expected numeric (int or float), got structpb.NullValue`],
    [{ spec: { containers: [{ name: 'c', args: ['b'] }] } }, `${whole}.spec.containers[0].args`],
    [{ spec: { selector: { matchLabels: { a: 'b' } }, options: {} } }, `${whole}.spec.selector, .spec.options`],
  ];
  for (const [configuration, message] of refused) {
    it(`refuses ${JSON.stringify(configuration)}`, () => {
      assert.throws(
        () => mergeUntracked(document, configuration, thingSchema),
        (error) => error instanceof UntrackedMergeError && error.message === message,
      );
    });
  }
});
