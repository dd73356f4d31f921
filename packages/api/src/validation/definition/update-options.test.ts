import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { finish } from '@binnacle/apimachinery/work';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '../../generated/types/apiextensions-v1.js';
import { optionsForUpdate } from './update-options.js';

function definition(...schemas: JsonObject[]): CustomResourceDefinition {
  const versions = schemas.map((openAPIV3Schema, index) => ({
    name: `v${index + 1}`,
    served: true,
    storage: index === 0,
    schema: { openAPIV3Schema } as CustomResourceDefinitionVersion['schema'],
  }));
  return { spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions } };
}

const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const text = { type: 'string', default: '' };

describe('the options for an update', () => {
  it('exempt it from the rules that any stored schema breaks', () => {
    const all = [
      'requireKnownTypes',
      'requireStructural',
      'requirePrunedDefaults',
      'requireAtomicSetItems',
      'requireMapKeys',
    ] as const;
    const set = (items: JsonObject): JsonObject => ({ type: 'array', 'x-kubernetes-list-type': 'set', items });
    const exempt = (property: JsonObject): string[] => {
      const old = definition(object({ a: text }), object({ a: property }), object({ a: text }));
      const options = finish(optionsForUpdate(old, old));
      return all.filter((rule) => !options[rule]);
    };
    assert.deepEqual(exempt(text), []);
    assert.deepEqual(exempt({ type: 'nothing' }), ['requireKnownTypes']);
    assert.deepEqual(exempt({}), ['requireStructural']);
    assert.deepEqual(exempt({ $ref: 'other' }), ['requireStructural']);
    assert.deepEqual(exempt({ ...object({}), default: { unknown: 1 } }), ['requirePrunedDefaults']);
    assert.deepEqual(exempt(set({ type: 'object' })), ['requireAtomicSetItems']);
    assert.deepEqual(exempt(set({ type: 'string', nullable: true })), ['requireMapKeys']);
  });

  it('run in steps, and check once whether a schema is structural', () => {
    const old = definition(
      object(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, text]))),
    );
    const computing = optionsForUpdate(old, old);
    let steps = 0;
    while (computing.next().done !== true) steps++;
    assert.ok(steps > 250 && steps < 330, `${steps} steps`);
  });
});
