import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { finish } from '@binnacle/apimachinery/work';
import { customOpenApiSource } from './open-api-source.js';
import type { ServedDefinition } from './served-definition.js';
import { served, version } from './served-definition.testing.js';

const schema = (properties: JsonObject): { openAPIV3Schema: JsonObject } => ({
  openAPIV3Schema: { type: 'object', properties },
});

/** A source of definitions that the test may replace. */
function sourceOf(...definitions: ServedDefinition[]) {
  const state = { revision: 1, definitions };
  const source = customOpenApiSource({
    revision: () => state.revision,
    changedAt: (groupVersion) => groupVersion.length,
    definitions: () => state.definitions,
  });
  return { source, state };
}

describe('custom resources in OpenAPI', () => {
  it('are grouped by version, in the order of their definitions, without versions that are not served', () => {
    const versions = [version('v1'), version('v2', { served: false })];
    const { source } = sourceOf(
      served('b.example.com', 'zebras', {}, versions),
      served('b.example.com', 'apes'),
      served('b.example.com', 'newts', { status: {} }),
    );
    assert.deepEqual(
      source
        .versions()
        .map(({ resources, ...rest }) => ({ ...rest, resources: resources.map((each) => each.resource) })),
      [{ group: 'b.example.com', version: 'v1', revision: 16, custom: true, resources: ['zebras', 'apes'] }],
    );
  });

  it('have the verbs and subresources that their paths offer', () => {
    const subresources = {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    };
    const { source } = sourceOf(served('example.com', 'foos', {}, [version('v1', { subresources })]));
    const [foos] = source.versions()[0]?.resources ?? [];
    const kind = { group: 'example.com', version: 'v1', kind: 'FOOS' };
    const verbs = ['get', 'patch', 'update'];
    assert.deepEqual(foos, {
      ...kind,
      resource: 'foos',
      definition: 'com.example.v1.FOOS',
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update'],
      listKind: 'FOOSList',
      subresources: [
        { name: 'status', kind: 'FOOS', verbs },
        { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs },
      ],
      untyped: true,
    });
    assert.equal(source.definitionOf(kind), 'com.example.v1.FOOS');
    assert.equal(source.definitionOf({ ...kind, version: 'v2' }), undefined);
  });

  it('stay the same until the revision rises', () => {
    const { source, state } = sourceOf(served('example.com', 'foos'));
    const before = source.versions();
    state.definitions = [];
    assert.equal(source.versions(), before);
    const snapshot = source.snapshot();
    state.revision = 2;
    assert.deepEqual(source.versions(), []);
    assert.equal(snapshot.versions(), before, 'a snapshot never changes');
    assert.deepEqual([source.revision, snapshot.revision], [2, 1]);
  });
});

describe('the type of a custom resource', () => {
  const typeOf = (definition: ServedDefinition, name: string) => finish(sourceOf(definition).source.customType(name));
  const kind = { group: 'example.com', version: 'v1', kind: 'FOOS', selectableFields: [] };

  it('has its schema and selectable fields', () => {
    const properties = { spec: { type: 'object', properties: { mode: { type: 'string' } } } };
    const selectableFields = [{ jsonPath: '.spec.mode' }];
    const definition = served('example.com', 'foos', {}, [
      version('v1', { schema: schema(properties), selectableFields }),
    ]);
    assert.deepEqual(typeOf(definition, 'com.example.v1.FOOS'), {
      ...kind,
      selectableFields: ['spec.mode'],
      schema: { type: 'object', properties },
    });
  });

  it('of a list has the kind of its items', () => {
    assert.deepEqual(typeOf(served('example.com', 'foos'), 'com.example.v1.FOOSList'), {
      ...kind,
      kind: 'FOOSList',
      items: 'FOOS',
    });
  });

  const unpublished: readonly (readonly [name: string, properties: JsonObject | undefined])[] = [
    ['is missing', undefined],
    ['is not structural', { spec: { properties: {} } }],
    ['has a keyword that OpenAPI does not publish', { spec: { type: 'object', $ref: '#/x' } }],
  ];
  for (const [name, properties] of unpublished) {
    it(`has no schema when that ${name}`, () => {
      const rest = properties === undefined ? {} : { schema: schema(properties) };
      const definition = served('example.com', 'foos', {}, [version('v1', rest)]);
      assert.deepEqual(typeOf(definition, 'com.example.v1.FOOS'), kind);
    });
  }

  it('is unknown for any other name', () => {
    assert.equal(typeOf(served('example.com', 'foos'), 'com.example.v1.Other'), undefined);
    assert.equal(typeOf(served('example.com', 'foos', { status: {} }), 'com.example.v1.FOOS'), undefined);
  });
});
