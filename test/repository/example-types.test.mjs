import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { definitionsIn, generateTypes, parseDocuments } from '../../packages/binnacle/dist/types/index.js';

const read = (path) => readFileSync(new URL(`../../examples/${path}`, import.meta.url), 'utf8');

describe('the examples have the types of their definitions', () => {
  for (const [definitions, types] of [
    ['typed-resource/backups.yaml', 'typed-resource/generated/backups.ts'],
    ['bucket-operator/crds.yaml', 'bucket-operator/src/generated/storage.ts'],
    ['ferry-webhooks/manifests/crd.yaml', 'ferry-webhooks/src/generated/ferries.ts'],
    ['sample-controller/crd.yaml', 'sample-controller/src/generated/foos.ts'],
  ]) {
    it(types, () => {
      assert.equal(read(types), generateTypes(definitionsIn(parseDocuments(definitions, read(definitions)))));
    });
  }
});
