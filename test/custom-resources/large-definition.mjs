import { definition } from './definition.mjs';

/** A schema of many fields in the manner of operators: pods' worth of settings, copied into every component. */
const leaves = {
  image: { type: 'string', description: 'What runs.', minLength: 1, maxLength: 255 },
  pullPolicy: { type: 'string', description: 'When to fetch it.', enum: ['Always', 'IfNotPresent', 'Never'] },
  replicas: { type: 'integer', format: 'int32', description: 'How many.', minimum: 0, maximum: 100, default: 1 },
  port: { 'x-kubernetes-int-or-string': true, description: 'A number or a name.' },
  storage: { type: 'string', description: 'How much.', pattern: '^[0-9]+(Mi|Gi)$', default: '1Gi' },
  labels: { type: 'object', description: 'By name.', additionalProperties: { type: 'string', maxLength: 63 } },
  settings: { type: 'object', description: 'Anything.', 'x-kubernetes-preserve-unknown-fields': true },
  env: {
    type: 'array',
    description: 'Variables.',
    items: {
      type: 'object',
      description: 'One of them.',
      required: ['name'],
      properties: {
        name: { type: 'string', description: 'Its name.' },
        value: { type: 'string', description: 'Its value.' },
      },
    },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  },
};

const properties = (prefix, count, make) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, make(index)]));

/** `spec.componentN.partM` with the leaves below. */
export function largeDefinition() {
  const part = (index) => ({ type: 'object', description: `Part ${index}.`, properties: leaves });
  const component = (index) => ({
    type: 'object',
    description: `Component ${index}.`,
    default: {},
    properties: properties('part', 8, part),
  });
  const spec = { type: 'object', required: ['component0'], properties: properties('component', 12, component) };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return definition({ plural: 'fleets', kind: 'Fleet', versions: [{ schema }, { name: 'v1beta1', schema }] });
}

/** In YAML as people and tools write it, a key or an item to a line. */
export function toYaml(value, indent = '') {
  if (Array.isArray(value))
    return value.map((item) => `${indent}- ${block(item, `${indent}  `).trimStart()}`).join('\n');
  return Object.entries(value)
    .map(
      ([key, item]) =>
        `${indent}${key}:${isNested(item) ? `\n${toYaml(item, `${indent}  `)}` : ` ${JSON.stringify(item)}`}`,
    )
    .join('\n');
}

const isNested = (value) => typeof value === 'object' && value !== null && Object.keys(value).length > 0;
const block = (item, indent) => (isNested(item) ? toYaml(item, indent) : JSON.stringify(item));
