import type { FieldSchema, ScalarSchema, StructReference, StructSchema, ValueSchema } from '../schema/index.js';

/** A few types of the shape that the built-in ones have, for the tests of this room. */
const string: ScalarSchema = { kind: 'string', goType: 'string' };
const strings: ValueSchema = { kind: 'list', items: string };

function field(name: string, value: ValueSchema, facts: Partial<FieldSchema> = {}): FieldSchema {
  return { name, value, required: false, omitEmpty: true, omitZero: false, pointer: false, ...facts };
}

function struct(goName: string, fields: readonly FieldSchema[]): StructReference {
  const byName = new Map(fields.map((each) => [each.name, each]));
  return { kind: 'struct', type: { name: goName, goName, fields, byName } };
}

const env = struct('EnvVar', [field('name', string), field('value', string)]);

const container = struct('Container', [
  field('name', string),
  field('image', string),
  field('args', strings),
  field('env', { kind: 'list', items: env }, { patchStrategy: ['merge'], patchMergeKey: 'name' }),
]);

const rolling = struct('RollingUpdate', [field('maxSurge', string)]);

export const widgetSchema: StructSchema = struct('Widget', [
  field('labels', { kind: 'map', values: string }),
  field('finalizers', strings, { patchStrategy: ['merge'] }),
  field('containers', { kind: 'list', items: container }, { patchStrategy: ['merge'], patchMergeKey: 'name' }),
  field('keyless', { kind: 'list', items: container }, { patchStrategy: ['merge'] }),
  field('strategy', struct('Strategy', [field('type', string), field('rollingUpdate', rolling, { pointer: true })]), {
    patchStrategy: ['retainKeys'],
  }),
  field('replaced', rolling, { patchStrategy: ['replace'] }),
]).type;
