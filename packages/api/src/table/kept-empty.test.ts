import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { decodeTyped, encodeTypedText } from '@binnacle/apimachinery/serializer';
import { definitionNames, schemaOf } from './schema.js';

test('lists and maps whose emptiness a rule of upstream sees are kept, and never written', () => {
  const kept = definitionNames().flatMap((name) => schemaOf(name).fields.filter((field) => field.keepsEmpty === true));
  assert.equal(kept.length, 13, 'each name in the table is a field');
  for (const field of kept) {
    assert.ok(field.value.kind === 'list' || field.value.kind === 'map', field.name);
    assert.ok(field.omitEmpty && !field.pointer, field.name);
  }
});

test('a rule sees the difference between an empty list and none', () => {
  const decoded = (definition: string, value: JsonObject) => decodeTyped(value, schemaOf(definition)).object;
  const counters = { devices: [], sharedCounters: [] };
  assert.deepEqual(decoded('io.k8s.api.resource.v1.ResourceSliceSpec', counters), counters);
  assert.deepEqual(decoded('io.k8s.api.autoscaling.v2.HPAScalingRules', { policies: [] }), { policies: [] });
  assert.deepEqual(decoded('io.k8s.api.networking.v1.NetworkPolicySpec', { egress: [] }), { egress: [] });
});

test('empty labels of a pod template are kept, and those of other objects are not', () => {
  const empty = { metadata: { labels: {}, annotations: {} } };
  const decoded = (definition: string) => decodeTyped(empty, schemaOf(`io.k8s.api.core.v1.${definition}`)).object;
  assert.deepEqual(decoded('PodTemplateSpec'), { metadata: { labels: {} } });
  assert.deepEqual(decoded('Pod'), {});
});

test('an empty map of data is kept, and one of texts to encode is not', () => {
  const secret = schemaOf('io.k8s.api.core.v1.Secret');
  const { object } = decodeTyped({ metadata: { labels: {} }, data: {}, stringData: {} }, secret);
  assert.deepEqual(object, { data: {} });
  assert.equal(encodeTypedText(object, secret), '{"metadata":{}}');
  assert.deepEqual(decodeTyped({ data: null }, secret).object, {});
});
