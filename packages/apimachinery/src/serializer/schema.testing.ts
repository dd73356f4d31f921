import type { FieldSchema, ScalarKind, StructSchema, ValueSchema } from '../schema/index.js';

/** Small hand-written schemas for the tests of this room. */
export const string: ValueSchema = { kind: 'string', goType: 'string' };
export const int32: ValueSchema = { kind: 'integer', bits: 32, goType: 'int32' };
export const int64: ValueSchema = { kind: 'integer', bits: 64, goType: 'int64' };
export const boolean: ValueSchema = { kind: 'boolean', goType: 'bool' };
export const strings: ValueSchema = { kind: 'map', values: string };

export function scalar(kind: ScalarKind): ValueSchema {
  return { kind, goType: kind };
}

export function field(name: string, value: ValueSchema, flags = ''): FieldSchema {
  return {
    name,
    value,
    required: false,
    omitEmpty: flags.includes('omitempty'),
    omitZero: flags.includes('omitzero'),
    pointer: flags.includes('pointer'),
  };
}

export function struct(name: string, fields: readonly FieldSchema[]): StructSchema {
  return { name: `test.v1.${name}`, goName: name, fields, byName: new Map(fields.map((item) => [item.name, item])) };
}

export const metadata = struct('ObjectMeta', [
  field('name', string, 'omitempty'),
  field('generation', int64, 'omitempty'),
  field('creationTimestamp', scalar('time'), 'omitempty omitzero'),
  field('deletionTimestamp', scalar('time'), 'omitempty pointer'),
  field('labels', strings, 'omitempty'),
]);

const port = struct('Port', [
  field('name', string, 'omitempty'),
  field('port', int32),
  field('targetPort', scalar('intOrString'), 'omitempty'),
]);

export const widgetSpec = struct('WidgetSpec', [
  field('replicas', int32, 'omitempty pointer'),
  field('paused', boolean, 'omitempty'),
  field('ports', { kind: 'list', items: { kind: 'struct', type: port } }),
  field('limits', { kind: 'map', values: scalar('quantity'), goType: 'v1.ResourceList' }, 'omitempty'),
  field('timeout', scalar('duration'), 'omitempty pointer'),
  field('renewed', scalar('microTime'), 'omitempty pointer'),
  field('secrets', { kind: 'map', values: scalar('bytes') }, 'omitempty'),
  field('template', scalar('any'), 'omitempty pointer'),
  field('weight', scalar('number'), 'omitempty'),
  field('names', { kind: 'list', items: string }, 'omitempty'),
]);

const widgetStatus = struct('WidgetStatus', [field('ready', int32, 'omitempty')]);

export const widget = struct('Widget', [
  field('kind', string, 'omitempty'),
  field('apiVersion', string, 'omitempty'),
  field('metadata', { kind: 'struct', type: metadata }, 'omitempty'),
  field('data', strings, 'omitempty'),
  field('spec', { kind: 'struct', type: widgetSpec }, 'omitempty'),
  field('status', { kind: 'struct', type: widgetStatus }, 'omitempty omitzero'),
]);
