import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import { decodeProtobuf, readEnvelope } from '@binnacle/apimachinery/protobuf';
import { kindSchema } from '@binnacle/api/table';
import { StoredForms } from './stored-forms.js';

const forms = new StoredForms(systemClock);

async function builtIn(apiVersion: string, group: string, kind: string, rest: object) {
  const facts = forms.builtIn({ group, kind });
  assert.ok(facts !== undefined);
  const object = { apiVersion, kind, metadata: { name: 'a', namespace: 'b', uid: 'c' }, ...rest };
  return forms.ofBuiltIn(facts, object, 'b', 'a');
}

test('built-in kinds are in protobuf, in their stored version, under their own prefixes', async () => {
  const spec = {
    scaleTargetRef: { kind: 'Deployment', name: 'web' },
    maxReplicas: 3,
    targetCPUUtilizationPercentage: 50,
  };
  const { key, value } = await builtIn('autoscaling/v1', 'autoscaling', 'HorizontalPodAutoscaler', { spec });
  assert.equal(key, '/registry/horizontalpodautoscalers/b/a');
  const { apiVersion, kind, raw } = readEnvelope(value);
  assert.deepEqual([apiVersion, kind], ['autoscaling/v2', 'HorizontalPodAutoscaler']);
  const schema = kindSchema({ group: 'autoscaling', version: 'v2', kind });
  assert.ok(schema !== undefined);
  const read = decodeProtobuf(raw, schema);
  assert.match(JSON.stringify(read), /"averageUtilization":50/);
  assert.match(JSON.stringify(read), /"uid":"c"/);
});

test('keys are those of upstream', async () => {
  const keys = [];
  for (const [apiVersion, group, kind] of [
    ['v1', '', 'Service'],
    ['v1', '', 'Endpoints'],
    ['v1', '', 'ReplicationController'],
    ['networking.k8s.io/v1', 'networking.k8s.io', 'Ingress'],
    ['v1', '', 'Node'],
    ['v1', '', 'Namespace'],
  ] as const) {
    keys.push((await builtIn(apiVersion, group, kind, {})).key);
  }
  assert.deepEqual(keys, [
    '/registry/services/specs/b/a',
    '/registry/services/endpoints/b/a',
    '/registry/controllers/b/a',
    '/registry/ingress/b/a',
    '/registry/minions/a',
    '/registry/namespaces/a',
  ]);
});

test('definitions and custom resources are in JSON', async () => {
  const definition = await builtIn('apiextensions.k8s.io/v1', 'apiextensions.k8s.io', 'CustomResourceDefinition', {
    spec: { group: 'example.com', names: { plural: 'things', kind: 'Thing' }, scope: 'Namespaced', versions: [] },
  });
  assert.equal(definition.key, '/registry/apiextensions.k8s.io/customresourcedefinitions/a');
  assert.match(Buffer.from(definition.value).toString(), /^\{"kind":"CustomResourceDefinition","apiVersion":/);
  const place = { resource: { group: 'example.com', resource: 'things' }, namespaced: false };
  const { key, value } = forms.ofCustom(place, { kind: 'Thing', apiVersion: 'example.com/v1' }, '', 'a');
  assert.equal(key, '/registry/example.com/things/a');
  assert.equal(Buffer.from(value).toString(), '{"apiVersion":"example.com/v1","kind":"Thing"}');
});

test('an object that cannot be decoded is refused', async () => {
  await assert.rejects(builtIn('v1', '', 'ConfigMap', { data: 'text' }), Error);
  await assert.rejects(builtIn('v9', '', 'ConfigMap', {}), /apiVersion "v9"/);
});
