import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { definitionNames, isPublished, resources, schemaOf } from '@binnacle/api/table';
import { isObject } from '@binnacle/apimachinery/json';
import { loadDescriptions } from './descriptions.js';

const descriptions = loadDescriptions();

test('every resource is described', () => {
  const missing = resources().filter((each) => descriptions.ofType(each.definition) === undefined);
  assert.deepEqual(
    missing.map((each) => each.kind),
    [],
  );
});

test('no description is unused', () => {
  const kinds = new Set<string>();
  const fields = new Map<string, Set<string>>();
  const allFields = new Set<string>();
  for (const definition of definitionNames().filter(isPublished)) {
    const kind = definition.split('.').at(-1) ?? '';
    kinds.add(kind);
    const known = fields.get(kind) ?? new Set();
    fields.set(kind, known);
    for (const { name } of schemaOf(definition).fields) {
      known.add(name);
      allFields.add(name);
    }
  }
  const url = new URL('../../src/openapi/descriptions.json', import.meta.url);
  const file: unknown = JSON.parse(readFileSync(url, 'utf8'));
  assert.ok(isObject(file) && isObject(file['typeFields']) && isObject(file['fields']));
  const unknown: string[] = [];
  for (const [type, texts] of Object.entries(file['typeFields'])) {
    const kind = type.split('.').at(-1) ?? '';
    const known = kind.startsWith('*') ? allFields : fields.get(kind);
    for (const field of Object.keys(isObject(texts) ? texts : {})) {
      if (known?.has(field) !== true) unknown.push(`${type}.${field}`);
    }
  }
  for (const field of Object.keys(file['fields'])) if (!allFields.has(field)) unknown.push(field);
  assert.deepEqual(unknown, []);
});

test('the most specific text wins', () => {
  const core = 'io.k8s.api.core.v1';
  assert.equal(descriptions.ofField(`${core}.PodCondition`, 'status'), 'True, False or Unknown.');
  assert.equal(descriptions.ofField(`${core}.Pod`, 'status'), 'The last observed state. Set by the system.');
  assert.equal(descriptions.ofType(`${core}.PodList`), 'A list of Pod objects.');
  assert.equal(descriptions.ofType(`${core}.NodeSpec`), 'The desired state of a Node.');
});
