import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { schemaRuleCompiler } from '@binnacle/apimachinery/schema-rules';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../../generated/types/apiextensions-v1.js';
import { texts } from '../rules.testing.js';
import {
  customResourceDefinitionWarnings,
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionUpdate,
} from './index.js';

const schema = (properties: JsonObject = {}, more: JsonObject = {}) =>
  ({ openAPIV3Schema: { type: 'object', properties, ...more } }) as CustomResourceDefinitionVersion['schema'];

const v1: CustomResourceDefinitionVersion = { name: 'v1', served: true, storage: true, schema: schema() };

function definition(
  spec: Partial<CustomResourceDefinitionSpec> = {},
  more: Partial<CustomResourceDefinition> = {},
): CustomResourceDefinition {
  return {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [v1],
      conversion: { strategy: 'None' },
      ...spec,
    },
    status: { storedVersions: ['v1'] },
    ...more,
  };
}

const problems = (spec: Partial<CustomResourceDefinitionSpec>): string[] =>
  texts(validateCustomResourceDefinition(definition(spec)));
const inSchema = (properties: JsonObject, more: JsonObject = {}): string[] =>
  problems({ versions: [{ ...v1, schema: schema(properties, more) }] }).map((text) =>
    text.replaceAll('spec.validation.openAPIV3Schema', '$'),
  );

describe('custom resource definitions', () => {
  it('accept a plain definition', () => assert.deepEqual(problems({}), []));

  it('stop after the maximum number of errors', () => {
    const properties = (schema: JsonObject): JsonObject =>
      Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, schema]));
    assert.equal(inSchema(properties({})).length, 10_000);
    assert.equal(inSchema(properties({ type: 'nothing' })).length, 10_000);
    assert.equal(inSchema(properties({ type: 'string', default: 1 })).length, 10_000);
  });

  it('have consistent names', () => {
    const names = { plural: 'Things', singular: 'thing', kind: 'Thing', listKind: 'Thing', shortNames: ['T'] };
    const errors = problems({ names, group: 'example' });
    assert.deepEqual(
      errors.map((text) => text.slice(0, text.indexOf(':'))),
      ['metadata.name', 'spec.group', 'spec.names.plural', 'spec.names.shortNames[0]', 'spec.names.listKind'],
    );
  });

  it('may keep rules whose cost exceeds the limit for new ones', () => {
    const rule = { rule: "self.matches('^a+$')" };
    const costly = (maxItems: number): CustomResourceDefinition => {
      const text = { type: 'string', maxLength: 1000, 'x-kubernetes-validations': [rule] };
      const list = { type: 'array', maxItems, items: text };
      return definition({ versions: [{ ...v1, schema: schema({ list }) }] });
    };
    const cost =
      /items\.x-kubernetes-validations\[0\]\.rule: Forbidden: estimated rule cost exceeds budget by factor of/;
    const old = costly(30_000);
    assert.match(texts(validateCustomResourceDefinition(old, schemaRuleCompiler)).join(), cost);
    assert.deepEqual(texts(validateCustomResourceDefinitionUpdate(costly(30_000), old, schemaRuleCompiler)), []);
    assert.match(texts(validateCustomResourceDefinitionUpdate(costly(31_000), old, schemaRuleCompiler)).join(), cost);
  });

  it('have one storage version, and a schema in each version', () => {
    const { schema: _, ...bare } = v1;
    assert.deepEqual(
      problems({ versions: [v1, { ...bare, name: 'v2' }] }).map((text) => text.slice(0, 90)),
      [
        'spec.versions[1].schema.openAPIV3Schema: Required value',
        'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":fals',
        'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
      ],
    );
  });

  it('keep the versions that objects are stored in', () => {
    const spec = { versions: [{ ...v1, name: 'v2' }] };
    const stored = { status: { storedVersions: ['v1', 'v2'] } };
    assert.match(
      texts(validateCustomResourceDefinition(definition(spec, stored)))[0] ?? '',
      /^status.storedVersions\[0\]/,
    );
  });

  it('allow only supported keywords, and only where they apply', () => {
    assert.deepEqual(inSchema({ a: { type: 'array', uniqueItems: true, items: { type: 'string' } } }), [
      '$.properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    ]);
    assert.deepEqual(inSchema({ a: { type: 'string', $ref: '#/x' } }), [
      '$.properties[a].$ref: Forbidden: $ref is not supported',
    ]);
    assert.deepEqual(inSchema({ metadata: { type: 'object', default: {} } }), [
      '$.properties[metadata].default: Forbidden: must not be set in top-level metadata',
    ]);
    const list = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k', 'nope'] };
    assert.deepEqual(inSchema({ a: { ...list, items: { type: 'object', properties: { k: { type: 'string' } } } } }), [
      '$.properties[a].x-kubernetes-list-map-keys: Invalid value: ["k","nope"]: entries must all be names of item properties',
      '$.properties[a].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
    ]);
  });

  it('check rules as far as possible without compiling them', () => {
    const rules = [{ rule: ' ' }, { rule: 'true', reason: 'Because' }, { rule: 'true', fieldPath: '.b' }];
    assert.deepEqual(inSchema({ a: { type: 'object', 'x-kubernetes-validations': rules } }), [
      '$.properties[a].x-kubernetes-validations[0].rule: Required value: rule is not specified',
      '$.properties[a].x-kubernetes-validations[1].reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
      '$.properties[a].x-kubernetes-validations[2].fieldPath: Invalid value: ".b": must be a valid path',
    ]);
  });

  it('restrict the root schema when there is a status subresource', () => {
    const versions = [{ ...v1, schema: schema({}, { minProperties: 1 }), subresources: { status: {} } }];
    assert.match(
      problems({ versions })[0] ?? '',
      /^spec\.validation\.openAPIV3Schema: Invalid value: \{"ID":"",.*: only \[Description Type .* at the root/,
    );
  });

  it('validate columns, scale and selectable fields', () => {
    const versions = [
      {
        ...v1,
        schema: schema({ spec: { type: 'object', properties: { a: { type: 'string' }, o: { type: 'object' } } } }),
        additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: 'spec.a' }],
        subresources: { scale: { specReplicasPath: '.status.n', statusReplicasPath: '.status.n' } },
        selectableFields: [
          { jsonPath: '.spec.a' },
          { jsonPath: '.spec.a' },
          { jsonPath: '.spec.o' },
          { jsonPath: '.b' },
        ],
      },
    ];
    assert.deepEqual(problems({ versions }), [
      'spec.subresources.scale.specReplicasPath: Invalid value: ".status.n": should be a json path under .spec',
      'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec.a": must be a simple json path starting with .',
      'spec.selectableFields[1].jsonPath: Duplicate value: ".spec.a"',
      'spec.selectableFields[2].jsonPath: Invalid value: ".spec.o": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      'spec.selectableFields[3].jsonPath: Invalid value: ".b": is an invalid path: does not refer to a valid field',
    ]);
  });

  it('require a webhook exactly for the webhook conversion strategy', () => {
    const clientConfig = { url: 'http://x/' };
    assert.deepEqual(
      problems({ conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v2'] } } }),
      [
        'spec.conversion.webhookClientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
        'spec.conversion.conversionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
      ],
    );
  });

  it('fix the kind once established, and exempt stored flaws from newer rules', () => {
    const { openAPIV3Schema } = schema({ a: { type: 'strange' } }) ?? {};
    const versions = [{ ...v1, schema: { openAPIV3Schema } }];
    const conditions = [
      { type: 'Established', status: 'True', reason: 'r', message: 'm', lastTransitionTime: '2020-01-01T00:00:00Z' },
    ];
    const old = definition({ versions }, { status: { storedVersions: ['v1'], conditions } });
    const names = { ...old.spec.names, kind: 'Other' };
    const changed = { ...old, spec: { ...old.spec, names, scope: 'Cluster' } };
    assert.deepEqual(texts(validateCustomResourceDefinitionUpdate(changed, old)), [
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Other": field is immutable',
    ]);
  });

  it('warn about settings without effect', () => {
    const versions = [{ ...v1, schema: schema({ a: { type: 'string', format: 'nope' } }) }];
    assert.deepEqual(customResourceDefinitionWarnings(definition({ versions }), undefined), [
      'unrecognized format "nope"',
    ]);
    assert.deepEqual(customResourceDefinitionWarnings(definition({ versions }), definition({ versions })), []);
  });

  it('need an API review in Kubernetes groups', () => {
    const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
    const inGroup = (annotations: Record<string, string>): string[] =>
      texts(
        validateCustomResourceDefinition(
          definition({ group: 'x.k8s.io', names }, { metadata: { name: 'things.x.k8s.io', annotations } }),
        ),
      );
    assert.equal(inGroup({}).length, 1);
    assert.deepEqual(inGroup({ 'api-approved.kubernetes.io': 'unapproved, experimental' }), []);
    assert.deepEqual(inGroup({ 'api-approved.kubernetes.io': 'https://github.com/x' }), []);
    assert.match(inGroup({ 'api-approved.kubernetes.io': 'yes' })[0] ?? '', /either a URL or a reason/);
  });
});
