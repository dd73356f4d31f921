/** Fields on each level, and the depth of levels: with descriptions about 43 KB of schema as JSON. */
const FIELDS = 9;
const LEVELS = 2;
const DESCRIPTION =
  'What this setting does, in a sentence or two, as authors of large definitions write them above each field.';

export const GROUP = 'bench.example.com';
export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A definition as large as those of large operators, with some rules and defaults. */
export function definition(index) {
  const plural = pluralOf(index);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural, singular: plural.slice(0, -1), kind: `Bench${index}`, listKind: `Bench${index}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: 'Mode', type: 'string', jsonPath: '.spec.text0' }],
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: level(LEVELS), status: level(0) } } },
        },
      ],
    },
  };
}

export function pluralOf(index) {
  return `bench${index}s`;
}

function level(below) {
  const properties = {};
  for (let field = 0; field < FIELDS; field++) {
    const description = `${DESCRIPTION} Field ${field}.`;
    properties[`text${field}`] = { type: 'string', description, maxLength: 64, pattern: '^[a-z0-9-]*$' };
    if (field % 4 === 0) properties[`count${field}`] = { type: 'integer', description, minimum: 0, default: field };
    if (field % 5 === 0) {
      properties[`labels${field}`] = { type: 'object', description, additionalProperties: { type: 'string' } };
    }
    if (below > 0 && field % 4 === 0) {
      properties[`items${field}`] = { type: 'array', description, maxItems: 16, items: level(below - 1) };
    }
  }
  return {
    type: 'object',
    description: DESCRIPTION,
    properties,
    'x-kubernetes-validations': [{ rule: '!has(self.count0) || self.count0 < 1000', message: 'too many' }],
  };
}
