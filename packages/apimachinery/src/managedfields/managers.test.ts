import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ManagedFieldsEntry } from '../meta/index.js';
import { finish } from '../work/index.js';
import { differInTimeAlone } from './managers.js';

const entry = (time: string, fields: readonly string[], manager = 'a'): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': Object.fromEntries(fields.map((name) => [`f:${name}`, {}])) },
});

describe('differInTimeAlone', () => {
  for (const [what, before, after, expected] of [
    ['the same', [entry('1', ['x'])], [entry('1', ['x'])], false],
    ['another time', [entry('1', ['x'])], [entry('2', ['x'])], true],
    [
      'another time of one of two',
      [entry('1', ['x']), entry('1', [], 'b')],
      [entry('1', ['x']), entry('3', [], 'b')],
      true,
    ],
    ['other fields too', [entry('1', ['x'])], [entry('2', ['y'])], false],
    ['one more', [entry('1', ['x'])], [entry('2', ['x']), entry('2', [], 'b')], false],
    ['none any more', [entry('1', ['x'])], undefined, false],
  ] as const) {
    it(what, () => assert.equal(finish(differInTimeAlone(before, after)), expected));
  }

  it('compares many fields in steps', () => {
    const many = () => Array.from({ length: 50_000 }, (_, index) => `k${index}`);
    const steps = differInTimeAlone([entry('1', many())], [entry('2', many())]);
    let yields = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) yields++;
    assert.equal(step.value, true);
    assert.ok(yields >= 10, `${yields} steps`);
  });
});
