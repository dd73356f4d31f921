import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ownable } from './field-rules.js';
import { ANY, FieldSet } from './index.js';

const set = FieldSet.of(
  ['f:metadata', 'f:labels', 'f:a'],
  ['f:spec'],
  ['f:spec', 'f:containers', 'k:{"name":"c"}'],
  ['f:spec', 'f:containers', 'k:{"name":"c"}', 'f:image'],
  ['f:spec', 'f:containers', 'k:{"name":"c"}', 'f:resources', 'f:limits'],
  ['f:status', 'f:phase'],
);

const texts = (fields: FieldSet): string[] => [...fields.paths()].map((path) => path.join(' '));

describe('ownable', () => {
  it('leaves out what is put back, with all that lies below', () => {
    assert.deepEqual(texts(ownable(set, { resetFields: FieldSet.of(['f:spec'], ['f:metadata', 'f:labels']) })), [
      'f:status f:phase',
    ]);
    assert.equal(ownable(set, { resetFields: FieldSet.of() }), set);
    assert.equal(ownable(set, {}), set);
  });

  it('keeps what can be set and what leads there, and nothing else', () => {
    const settableFields = [['f:spec', 'f:containers', ANY, 'f:resources'] as const];
    assert.deepEqual(texts(ownable(set, { settableFields })), [
      'f:spec',
      'f:spec f:containers k:{"name":"c"}',
      'f:spec f:containers k:{"name":"c"} f:resources f:limits',
    ]);
    assert.ok(ownable(set, { settableFields: [['f:data']] }).isEmpty);
  });
});
