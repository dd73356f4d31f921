import { anyString, anyValue } from './values.mjs';

const expressions = [
  'true',
  'self.a == "x"',
  'has(self.a)',
  'self.all(x, x > 0)',
  'self.items.map(x, x).size() < 10',
  'self.a.matches("^[a-z]+$")',
  'self.a.matches("(a+)+$")',
  'self == oldSelf',
  'oldSelf.hasValue()',
  'quantity(self.a).isGreaterThan(quantity("1"))',
  'ip(self.a).family() == 4',
  'duration(self.a) > duration("1h")',
  'self.items.exists(x, self.items.exists(y, x == y))',
  '"a" * 3',
  'self.',
  'self.nope',
  '1/0 == 1',
  'self.a + 1',
  '"\\u{110000}"',
  'timestamp("x") == timestamp("y")',
  'self.a.format([1])',
  '[1,2,3].sum() == 6',
  'cel.bind(x, self, x)',
  'optional.of(1).value() == 1',
  '('.repeat(60) + '1' + ')'.repeat(60),
  '!'.repeat(40) + 'true',
];

function rules(random, mischief) {
  return Array.from({ length: random.integer(1, 3) }, () => ({
    rule: random.chance(mischief) ? anyString(random) : random.pick(expressions),
    ...(random.chance(0.3) ? { message: anyString(random) } : {}),
    ...(random.chance(0.2) ? { messageExpression: random.pick(expressions) } : {}),
    ...(random.chance(0.1) ? { fieldPath: random.pick(['.a', '.items', 'x', '']) } : {}),
    ...(random.chance(0.1) ? { optionalOldSelf: true } : {}),
    ...(random.chance(0.1) ? { reason: anyString(random) } : {}),
  }));
}

/** A structural schema, or nearly one. */
export function schemaOf(random, mischief, depth = 0) {
  if (random.chance(mischief / 3)) return anyValue(random);
  const type = random.weighted({
    object: depth < 4 ? 4 : 0,
    array: depth < 4 ? 2 : 0,
    string: 3,
    integer: 2,
    number: 1,
    boolean: 1,
  });
  const schema = { type };
  if (type === 'object') {
    if (random.chance(0.8)) {
      schema.properties = Object.fromEntries(
        Array.from({ length: random.integer(0, 4) }, () => [
          random.chance(mischief) ? anyString(random) : random.pick(['a', 'b', 'items', 'count', 'kind']),
          schemaOf(random, mischief, depth + 1),
        ]),
      );
    } else {
      schema.additionalProperties = random.chance(0.3) ? true : schemaOf(random, mischief, depth + 1);
    }
    if (random.chance(0.2)) schema.required = ['a'];
    if (random.chance(0.1)) schema['x-kubernetes-preserve-unknown-fields'] = true;
    if (random.chance(0.05)) schema['x-kubernetes-embedded-resource'] = true;
    if (random.chance(0.1)) schema['x-kubernetes-map-type'] = random.pick(['atomic', 'granular', 'x']);
  }
  if (type === 'array') {
    schema.items = schemaOf(random, mischief, depth + 1);
    if (random.chance(0.3)) schema['x-kubernetes-list-type'] = random.pick(['atomic', 'set', 'map']);
    if (random.chance(0.2)) schema['x-kubernetes-list-map-keys'] = random.pick([['a'], ['a', 'b'], [], 'a']);
    if (random.chance(0.4)) schema.maxItems = random.pick([0, 1, 10, 1000, -1]);
    if (random.chance(0.1)) schema.uniqueItems = true;
  }
  if (type === 'string') {
    if (random.chance(0.3)) schema.maxLength = random.pick([0, 1, 10, 100, -1, 1e21]);
    if (random.chance(0.2))
      schema.pattern = random.pick(['^[a-z]+$', '(a+)+$', '[', '(?=x)', '\\p{L}', 'a{1000}{1000}']);
    if (random.chance(0.2))
      schema.format = random.pick(['date-time', 'byte', 'duration', 'ipv4', 'uuid', 'x', 'quantity']);
    if (random.chance(0.2)) schema.enum = random.pick([['a', 'b'], ['a', 'a'], [1], []]);
  }
  if (type === 'integer' || type === 'number') {
    if (random.chance(0.2)) schema.minimum = random.pick([0, 1, 1e308, -1.5]);
    if (random.chance(0.2)) schema.multipleOf = random.pick([0, 1, 0.1, -1]);
    if (random.chance(0.2)) schema.format = random.pick(['int32', 'int64', 'float', 'double']);
  }
  if (random.chance(0.15)) schema.default = anyValue(random, 2);
  if (random.chance(0.1)) schema.nullable = true;
  if (random.chance(0.08))
    schema[random.pick(['allOf', 'anyOf', 'oneOf'])] = [{ required: ['a'] }, anyValue(random, 2)];
  if (random.chance(0.05)) schema.not = { required: ['b'] };
  if (random.chance(0.25)) schema['x-kubernetes-validations'] = rules(random, mischief);
  if (random.chance(0.05)) schema['x-kubernetes-int-or-string'] = true;
  return schema;
}

/** A CustomResourceDefinition with one of a few names, so that definitions collide. */
export function definitionOf(random, mischief) {
  const number = random.integer(0, 7);
  const plural = `fuzzes${number}`;
  const group = 'fuzz.example.com';
  const schema = schemaOf(random, mischief);
  const root = {
    type: 'object',
    properties: { spec: schema, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: random.chance(mischief) ? anyString(random) : `${plural}.${group}` },
    spec: {
      group: random.chance(mischief / 3) ? anyString(random) : group,
      scope: random.pick(['Namespaced', 'Namespaced', 'Cluster']),
      names: {
        plural,
        singular: `fuzz${number}`,
        kind: `Fuzz${number}`,
        listKind: `Fuzz${number}List`,
        shortNames: ['fz'],
      },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: root },
          ...(random.chance(0.5) ? { subresources: { status: {}, scale: scale(random, mischief) } } : {}),
          ...(random.chance(0.3)
            ? {
                additionalPrinterColumns: [
                  { name: 'A', type: 'string', jsonPath: random.pick(['.spec.a', '.x[', '']) },
                ],
              }
            : {}),
          ...(random.chance(0.2) ? { selectableFields: [{ jsonPath: random.pick(['.spec.a', '.spec.b', 'x']) }] } : {}),
        },
        ...(random.chance(0.3)
          ? [{ name: 'v2', served: true, storage: random.chance(mischief), schema: { openAPIV3Schema: root } }]
          : []),
      ],
      ...(random.chance(mischief) ? { conversion: anyValue(random) } : {}),
    },
  };
}

const scale = (random, mischief) =>
  random.chance(mischief)
    ? anyValue(random)
    : { specReplicasPath: '.spec.count', statusReplicasPath: '.status.count', labelSelectorPath: '.status.selector' };
