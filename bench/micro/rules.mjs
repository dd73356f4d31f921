/**
 * Validations a second of a custom resource of 10 KB: by its schema alone, and also with ten rules of `x-kubernetes-validations`, three of which check
 * every item of a list. `node bench/micro/rules.mjs [--seconds 2]`
 */
import { parseArgs } from 'node:util';
import { schemaRuleCompiler } from '@binnacle/apimachinery/schema-rules';
import { compileSchema, validateValue } from '@binnacle/apimachinery/structural';
import { finish } from '@binnacle/apimachinery/work';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '2' } } });
const milliseconds = Number(values.seconds) * 1000;

const text = { type: 'string', maxLength: 200 };
const item = {
  type: 'object',
  required: ['name'],
  properties: { name: text, image: text, weight: { type: 'integer', minimum: 0 }, note: text },
};
const rules = [
  'self.minimum <= self.maximum',
  "self.mode != 'fixed' || self.minimum == self.maximum",
  "has(self.owner) && self.owner.startsWith('team-')",
  'size(self.items) > 0',
  "self.items.all(i, i.name != '')",
  'self.items.exists(i, i.weight > 10)',
  "self.items.all(i, i.image.startsWith('registry.example/'))",
  "!('forbidden' in self.labels)",
  "self.labels['app'] == 'web'",
  "self.owner.matches('^team-[a-z]+$')",
];
const spec = {
  type: 'object',
  properties: {
    minimum: { type: 'integer' },
    maximum: { type: 'integer' },
    mode: { type: 'string', enum: ['fixed', 'scaled'] },
    owner: text,
    labels: { type: 'object', maxProperties: 20, additionalProperties: text },
    items: { type: 'array', maxItems: 100, items: item },
  },
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
};
const object = {
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'thing' },
  spec: {
    minimum: 1,
    maximum: 5,
    mode: 'scaled',
    owner: 'team-harbour',
    labels: { app: 'web', tier: 'front' },
    items: Array.from({ length: 60 }, (_, index) => ({
      name: `item-${index}`,
      image: `registry.example/images/item:${index}`,
      weight: index,
      note: 'n'.repeat(70),
    })),
  },
};

const schema = compileSchema({ type: 'object', properties: { spec } });
const problems = schemaRuleCompiler.problems(schema, 'schema');
const compiled = schemaRuleCompiler.compile(schema);
if (problems.length > 0 || compiled === undefined) throw new Error(JSON.stringify(problems));

function perSecond(work) {
  let rounds = 0;
  const start = performance.now();
  while (performance.now() - start < milliseconds) {
    for (let round = 0; round < 10; round++) if (work().length > 0) throw new Error('the object is not valid');
    rounds += 10;
  }
  return Math.round(rounds / ((performance.now() - start) / 1000));
}

const bySchema = () => validateValue(object, schema);
const byRules = () => [...bySchema(), ...finish(compiled.validate(object, undefined))];
for (const work of [bySchema, byRules]) perSecond(work);
const size = { bytes: Buffer.byteLength(JSON.stringify(object)) };
console.log(JSON.stringify({ what: 'validations by schema', ...size, perSecond: perSecond(bySchema) }));
console.log(JSON.stringify({ what: 'validations with ten rules', ...size, perSecond: perSecond(byRules) }));
