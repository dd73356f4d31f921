import assert from 'node:assert/strict';
import { it } from 'node:test';
import { counted } from '../../testing/index.js';
import { configurationProblem } from '../validate-configuration.js';
import { thingSchema } from '../schema.testing.js';
import { fieldSetOf } from '../fieldsets/field-set-of.js';
import { mergeConfiguration } from './merge-configuration.js';
import { writtenValue } from './presence.js';
import { removeFields } from './remove-fields.js';

const texts = (from: number) =>
  Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${from + index}`, 'v']));
const containers = (from: number) =>
  Array.from({ length: 10_000 }, (_, index) => ({ name: `c${from + index}`, image: 'i' }));

for (const [name, make] of [
  ['map', (from: number) => ({ data: texts(from) })],
  ['list', (from: number) => ({ spec: { containers: containers(from) } })],
] as const) {
  it(`a configuration with a large ${name} is checked, merged and removed in steps`, () => {
    const [live, configuration] = [make(0), make(5000)];
    const checked = counted(configurationProblem(configuration, thingSchema));
    const merged = counted(mergeConfiguration(live, configuration, thingSchema));
    const removed = counted(
      removeFields(merged.result, fieldSetOf(configuration, thingSchema, writtenValue), thingSchema),
    );
    for (const { yields } of [checked, merged, removed]) assert.ok(yields >= 10, `${yields} steps`);
    assert.equal(checked.result, undefined);
    assert.equal(fieldSetOf(merged.result, thingSchema, writtenValue).size > 15_000, true);
  });
}
