import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asObject } from '@binnacle/apimachinery/meta';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { dropGatedFields, gatedFields, gatesUnder } from './gated-fields.js';

const objectOf = (spec: JsonObject) => asObject({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, spec });
const SIGNALS = gatedFields('Signals', ['spec.a.*.hooks.signal', 'spec.b.*.hooks.signal'], true);
const SIGNAL = { hooks: { signal: 'TERM' } };

describe('dropGatedFields', () => {
  for (const [what, spec, old, expected] of [
    ['a field', { size: 1, more: 2 }, undefined, { more: 2 }],
    ['a field that the old object does not have', { size: 1 }, {}, {}],
    ['nothing that the old object has', { size: 1 }, { size: 2 }, { size: 1 }],
    ['nothing where no object has the field', { more: 2 }, undefined, { more: 2 }],
  ] as const)
    it(`drops ${what}`, () => {
      const object = objectOf({ ...spec });
      dropGatedFields(object, old === undefined ? undefined : objectOf(old), [gatedFields('Size', ['spec.size'])]);
      assert.deepEqual(object['spec'], expected);
    });

  it('reaches each item of a list and each value of a map', () => {
    const object = objectOf({ devices: [{ attributes: { a: { ints: [1], int: 1 }, b: { ints: [2] } } }, {}] });
    dropGatedFields(object, undefined, [gatedFields('Lists', ['spec.devices.*.attributes.*.ints'])]);
    assert.deepEqual(object['spec'], { devices: [{ attributes: { a: { int: 1 }, b: {} } }, {}] });
  });

  it('drops an object with its only field where the gate says so', () => {
    const object = objectOf({ a: [SIGNAL, { hooks: { signal: 'TERM', start: 1 } }, { hooks: {} }] });
    dropGatedFields(object, undefined, [SIGNALS]);
    assert.deepEqual(object['spec'], { a: [{}, { hooks: { start: 1 } }, {}] });
  });

  it('keeps all fields of a gate when the old object has one of them', () => {
    const object = objectOf({ a: [SIGNAL] });
    dropGatedFields(object, objectOf({ b: [SIGNAL] }), [SIGNALS]);
    assert.deepEqual(object['spec'], { a: [SIGNAL] });
  });

  it('does not follow the prototype', () => {
    const object = objectOf({ a: {} });
    dropGatedFields(object, undefined, [gatedFields('Odd', ['spec.a.constructor.name', 'spec.a.__proto__.x'])]);
    assert.deepEqual(object['spec'], { a: {} });
  });
});

describe('gatesUnder', () => {
  it('puts the path of the part before each path', () => {
    const object = objectOf({ template: { spec: { size: 1 } } });
    dropGatedFields(object, undefined, gatesUnder('spec.template.spec', [gatedFields('Size', ['size'])]));
    assert.deepEqual(object['spec'], { template: { spec: {} } });
  });
});
