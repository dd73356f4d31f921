import type { FieldSchema, StructSchema, ValueSchema } from '../schema/index.js';

const text: ValueSchema = { kind: 'string', goType: 'string' };
const texts: ValueSchema = { kind: 'map', values: text, goType: 'map[string]string' };

function field(name: string, value: ValueSchema): FieldSchema {
  return { name, value, required: false, omitEmpty: true, omitZero: false, pointer: false };
}

const fields = [
  field('name', text),
  field('generateName', text),
  field('namespace', text),
  field('uid', text),
  field('labels', texts),
  field('annotations', texts),
];

/** The part of ObjectMeta that tests need. */
export const objectMetaForTests: StructSchema = {
  name: 'ObjectMeta',
  goName: 'ObjectMeta',
  fields,
  byName: new Map(fields.map((each) => [each.name, each])),
};
