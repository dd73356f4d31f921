import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ownableFields } from './field-rules.js';
import { ANY, FieldSet } from '../index.js';

const set = FieldSet.of(
  ['f:metadata', 'f:labels', 'f:a'],
  ['f:spec'],
  ['f:spec', 'f:containers', 'k:{"name":"c"}'],
  ['f:spec', 'f:containers', 'k:{"name":"c"}', 'f:image'],
  ['f:spec', 'f:containers', 'k:{"name":"c"}', 'f:resources', 'f:limits'],
  ['f:status', 'f:phase'],
);

const texts = (fields: FieldSet): string[] => [...fields.paths()].map((path) => path.join(' '));

describe('ownableFields', () => {
  it('removes reset fields and everything below them', () => {
    assert.deepEqual(texts(ownableFields(set, { resetFields: FieldSet.of(['f:spec'], ['f:metadata', 'f:labels']) })), [
      'f:status f:phase',
    ]);
    assert.equal(ownableFields(set, { resetFields: FieldSet.of() }), set);
    assert.equal(ownableFields(set, {}), set);
  });

  it('keeps only settable fields and the paths to them', () => {
    const settableFields = [['f:spec', 'f:containers', ANY, 'f:resources'] as const];
    assert.deepEqual(texts(ownableFields(set, { settableFields })), [
      'f:spec',
      'f:spec f:containers k:{"name":"c"}',
      'f:spec f:containers k:{"name":"c"} f:resources f:limits',
    ]);
    assert.ok(ownableFields(set, { settableFields: [['f:data']] }).isEmpty);
  });
});
