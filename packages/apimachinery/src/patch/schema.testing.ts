import type { FieldSchema, ScalarSchema, StructReference, StructSchema, ValueSchema } from '../schema/index.js';

/** A few types similar to built-in ones, for the tests of this room. */
const string: ScalarSchema = { kind: 'string', goType: 'string' };
const integer: ScalarSchema = { kind: 'integer', bits: 64, goType: 'int64' };
const strings: ValueSchema = { kind: 'list', items: string };

function field(name: string, value: ValueSchema, facts: Partial<FieldSchema> = {}): FieldSchema {
  return { name, value, required: false, omitEmpty: true, omitZero: false, pointer: false, ...facts };
}

function struct(goName: string, fields: readonly FieldSchema[]): StructReference {
  const byName = new Map(fields.map((each) => [each.name, each]));
  return { kind: 'struct', type: { name: goName, goName, fields, byName } };
}

const env = struct('EnvVar', [field('name', string), field('value', string)]);

const port = struct('Port', [field('port', integer), field('protocol', string)]);
const container = struct('Container', [
  field('name', string),
  field('image', string),
  field('args', strings),
  field('env', { kind: 'list', items: env }, { patchStrategy: ['merge'], patchMergeKey: 'name' }),
  field('ports', { kind: 'list', items: port }, { patchStrategy: ['merge'], patchMergeKey: 'port' }),
]);

const rolling = struct('RollingUpdate', [field('maxSurge', string)]);

const volume = struct('Volume', [
  field('name', string),
  field('emptyDir', rolling, { pointer: true }),
  field('hostPath', rolling, { pointer: true }),
]);

export const widgetSchema: StructSchema = struct('Widget', [
  field('labels', { kind: 'map', values: string }),
  field('finalizers', strings, { patchStrategy: ['merge'] }),
  field('containers', { kind: 'list', items: container }, { patchStrategy: ['merge'], patchMergeKey: 'name' }),
  field('keyless', { kind: 'list', items: container }, { patchStrategy: ['merge'] }),
  field('strategy', struct('Strategy', [field('type', string), field('rollingUpdate', rolling, { pointer: true })]), {
    patchStrategy: ['retainKeys'],
  }),
  field('numbers', { kind: 'list', items: integer }, { patchStrategy: ['merge'] }),
  field('plain', { kind: 'list', items: container }),
  field('volumes', { kind: 'list', items: volume }, { patchStrategy: ['merge', 'retainKeys'], patchMergeKey: 'name' }),
  field('size', integer),
  field('replaced', rolling, { patchStrategy: ['replace'] }),
]).type;
