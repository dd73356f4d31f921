import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '@binnacle/client/testing';
import { definition } from '../custom-resources/definition.mjs';
import { MeasuredServer } from './measured-server.mjs';

const group = 'expressions.example';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const registration = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const VERSION = '/version';

const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const digits = '[0,1,2,3,4,5,6,7,8,9]';
const nested = (depth, inside) => (depth === 0 ? inside : `${digits}.all(v${depth}, ${nested(depth - 1, inside)})`);
/** Costs a large part of the budget of one expression. */
const costly = nested(5, 'true');

const integers = { type: 'array', items: { type: 'integer' } };
const validated = (schema, ...rules) => ({ ...schema, 'x-kubernetes-validations': rules.map((rule) => ({ rule })) });
const objectOf = (properties) => ({ type: 'object', properties });
const lists = (count, make) => Object.fromEntries(many(count, (index) => [`l${index}`, make(index)]));

/** Objects whose rules spend all that the rules of an object may, or call functions that take long. */
const rules = [
  {
    name: 'loops that spend the budget of an object',
    schema: objectOf(
      lists(12, () => validated({ ...integers, maxItems: 400 }, 'self.all(a, self.all(b, a + b >= 0))')),
    ),
    spec: lists(12, () => many(360, (index) => index)),
    status: 422,
  },
  {
    name: 'rules of 300,000 values',
    schema: objectOf({ list: { ...integers, items: validated({ type: 'integer' }, 'self >= 0') } }),
    spec: { list: many(300_000, () => 1) },
    status: 201,
  },
  {
    name: 'a comparison of large lists',
    schema: validated(objectOf({ a: integers, b: integers }), 'self.a == self.b'),
    spec: { a: many(300_000, () => 1), b: many(300_000, () => 1) },
    status: 201,
  },
  {
    name: 'functions over a long text',
    schema: objectOf({
      text: validated(
        { type: 'string', maxLength: 700_000 },
        "self.replace('a', '-') != ''",
        "size(self.findAll('a')) > 0",
        "size(self.split('')) > 0",
      ),
    }),
    spec: { text: 'a'.repeat(700_000) },
    status: 201,
  },
];

/** Policies with the validations that spend most, for a ConfigMap. Each applies to objects with its own label. */
const policies = [
  { name: 'loops', expressions: many(16, () => costly), data: {} },
  { name: 'variables', variables: many(16, () => `${costly} ? [1] : []`), data: {} },
  {
    name: 'functions',
    expressions: many(
      3,
      () => "size(object.data.text.replace('', '-')) > 0 && '%s'.format([lists.range(100000)]) != ''",
    ),
    data: { text: 'a'.repeat(1_000_000) },
  },
];

describe('expressions that spend their whole budget', () => {
  let server;
  before(async () => {
    server = await MeasuredServer.start();
    await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  });
  after(() => server.stop());

  const send = (method, path, body) => server.client.send(method, path, body && JSON.stringify(body));

  async function create(path, body) {
    const { status, text } = await send('POST', path, body);
    assert.equal(status, 201, text);
  }

  /** Sends a request until it is answered with this status: definitions and policies take effect shortly after. */
  async function until(status, ask) {
    await eventually(async () => assert.equal((await ask()).status, status), { timeout: 20_000, interval: 50 });
  }

  /** Sends the request while another client reads, and bounds the silence of the loop. */
  async function measured(test, status, path, body) {
    let reads = 0;
    const { text, status: given } = await server.bounded(test, async () => {
      const answered = new AbortController();
      const answer = send('POST', path, body).finally(() => answered.abort());
      while (!answered.signal.aborted) {
        assert.equal((await send('GET', VERSION)).status, 200);
        if (!answered.signal.aborted) reads++;
      }
      return answer;
    });
    assert.equal(given, status, text.slice(0, 300));
    test.diagnostic(`${reads} reads of another client meanwhile`);
    assert.ok(reads > 0);
  }

  for (const [index, { name, schema, spec, status }] of rules.entries()) {
    it(`rules of a definition: ${name}`, async (test) => {
      const plural = `rules${index}`;
      const kind = `Rules${index}`;
      const openAPIV3Schema = objectOf({ spec: schema });
      await create(definitions, definition({ group, plural, kind, versions: [{ schema: { openAPIV3Schema } }] }));
      const path = `/apis/${group}/v1/namespaces/default/${plural}`;
      await until(200, () => send('GET', path));
      await measured(test, status, path, { apiVersion: `${group}/v1`, kind, metadata: { name: 'a' }, spec });
    });
  }

  for (const { name, variables = [], expressions = [], data } of policies) {
    it(`validations of a policy: ${name}`, async (test) => {
      const labels = { expressions: name };
      const matchConstraints = {
        objectSelector: { matchLabels: labels },
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      };
      await create(`${registration}/validatingadmissionpolicies`, {
        metadata: { name },
        spec: {
          matchConstraints,
          variables: variables.map((expression, index) => ({ name: `v${index}`, expression })),
          validations: [
            ...expressions.map((expression) => ({ expression })),
            ...variables.map((_, index) => ({ expression: `variables.v${index}.size() == 1` })),
            { expression: 'false' },
          ],
        },
      });
      await create(`${registration}/validatingadmissionpolicybindings`, {
        metadata: { name },
        spec: { policyName: name, validationActions: ['Deny'] },
      });
      const configMap = { metadata: { name, labels }, data };
      await until(422, () => send('POST', `${configMaps}?dryRun=All`, configMap));
      await measured(test, 422, configMaps, configMap);
    });
  }
});
