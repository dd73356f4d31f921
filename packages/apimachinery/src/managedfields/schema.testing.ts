import type {
  FieldSchema,
  ListSchema,
  ScalarSchema,
  StructReference,
  StructSchema,
  ValueSchema,
} from '../schema/index.js';

/** A few types similar to built-in ones, for the tests of this room. */
const string: ScalarSchema = { kind: 'string', goType: 'string' };
const integer: ScalarSchema = { kind: 'integer', bits: 32, goType: 'int32' };

function field(name: string, value: ValueSchema, facts: Partial<FieldSchema> = {}): FieldSchema {
  return { name, value, required: false, omitEmpty: true, omitZero: false, pointer: false, ...facts };
}

function struct(goName: string, fields: readonly FieldSchema[], facts: Partial<StructSchema> = {}): StructSchema {
  return { name: goName, goName, fields, byName: new Map(fields.map((each) => [each.name, each])), ...facts };
}

function reference(type: StructSchema): StructReference {
  return { kind: 'struct', type };
}

function list(items: ValueSchema, facts: Partial<ListSchema> = {}): ListSchema {
  return { kind: 'list', items, ...facts };
}

const strings: ValueSchema = { kind: 'map', values: string };

const objectMeta = struct('ObjectMeta', [
  field('name', string),
  field('namespace', string),
  field('uid', string),
  field('resourceVersion', string),
  field('labels', strings),
  field('annotations', strings),
  field('finalizers', list(string, { listType: 'set' })),
]);

const port = struct('ContainerPort', [
  field('containerPort', integer, { omitEmpty: false }),
  field('protocol', string, { default: 'TCP' }),
]);

const container = struct('Container', [
  field('name', string, { omitEmpty: false }),
  field('image', string),
  field('args', list(string)),
  field('ports', list(reference(port), { listType: 'map', listMapKeys: ['containerPort', 'protocol'] })),
  field('resources', reference(struct('ResourceRequirements', [field('limits', strings)]))),
]);

const spec = struct('ThingSpec', [
  field('replicas', integer, { pointer: true }),
  field('selector', reference(struct('LabelSelector', [field('matchLabels', strings)], { mapType: 'atomic' })), {
    pointer: true,
  }),
  field('containers', list(reference(container), { listType: 'map', listMapKeys: ['name'] }), { omitEmpty: false }),
  field('options', { kind: 'map', values: string, mapType: 'atomic' }),
]);

export const thingSchema: StructSchema = struct('Thing', [
  field('apiVersion', string),
  field('kind', string),
  field('metadata', reference(objectMeta)),
  field('spec', reference(spec)),
  field('status', reference(struct('ThingStatus', [field('phase', string)]))),
  field('data', strings),
  field('extra', reference(struct('Extra', [])), { pointer: true }),
]);
