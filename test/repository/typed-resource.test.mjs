import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { definitionsIn, generateTypes, parseDocuments } from '../../packages/binnacle/dist/types/index.js';

const read = (name) => readFileSync(new URL(`../../examples/typed-resource/${name}`, import.meta.url), 'utf8');

describe('the example of a typed resource', () => {
  it('has the types of its definition', () => {
    const definitions = definitionsIn(parseDocuments('backups.yaml', read('backups.yaml')));
    assert.equal(read('generated/backups.ts'), generateTypes(definitions));
  });
});
