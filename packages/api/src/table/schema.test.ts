import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { FieldSchema, StructSchema, ValueSchema } from '@binnacle/apimachinery/schema';
import { kindSchema, listSchema } from './kinds.js';
import { resources } from './resources.js';
import { definitionNames, schemaOf } from './schema.js';
import { unknownOrMisorderedKeys } from './key-order.testing.js';

const core = (kind: string): StructSchema => {
  const schema = kindSchema({ group: '', version: 'v1', kind });
  assert.ok(schema);
  return schema;
};

const names = (schema: StructSchema): string[] => schema.fields.map((field) => field.name);

function field(definition: string, name: string): FieldSchema {
  const found = schemaOf(definition).byName.get(name);
  assert.ok(found, `${definition}.${name}`);
  return found;
}

function goType(value: ValueSchema): string | undefined {
  return value.kind === 'struct' ? value.type.goType : value.goType;
}

test('fields are in the order in which upstream writes them', () => {
  assert.deepEqual(names(core('Pod')), ['kind', 'apiVersion', 'metadata', 'spec', 'status']);
  assert.deepEqual(names(core('ConfigMap')), ['kind', 'apiVersion', 'metadata', 'immutable', 'data', 'binaryData']);
  assert.deepEqual(names(schemaOf('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta')), [
    'name',
    'generateName',
    'namespace',
    'selfLink',
    'uid',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'labels',
    'annotations',
    'ownerReferences',
    'finalizers',
    'managedFields',
  ]);
  assert.deepEqual(names(schemaOf('io.k8s.api.core.v1.ServiceSpec')).slice(0, 5), [
    'ports',
    'selector',
    'clusterIP',
    'clusterIPs',
    'type',
  ]);
});

test('recorded objects of a real server have only known keys, in table order', () => {
  const samples = readFileSync(new URL('../../src/table/testdata/recorded-objects.jsonl', import.meta.url), 'utf8');
  let checked = 0;
  for (const line of samples.trim().split('\n')) {
    const object: unknown = JSON.parse(line);
    assert.deepEqual(unknownOrMisorderedKeys(object), [], line.slice(0, 80));
    checked++;
  }
  assert.ok(checked >= 30, `${checked} samples`);
});

test('every type can be built, and every reference resolves', () => {
  const visit = (value: ValueSchema): void => {
    if (value.kind === 'list') visit(value.items);
    else if (value.kind === 'map') visit(value.values);
    else if (value.kind === 'struct' && schemaOf(value.type.name) !== value.type) variants.add(value.type.name);
  };
  const variants = new Set<string>();
  assert.equal(definitionNames().length, 802);
  for (const name of definitionNames()) {
    const schema = schemaOf(name);
    assert.equal(schema.byName.size, schema.fields.length, name);
    for (const each of schema.fields) visit(each.value);
  }
  assert.deepEqual([...variants], ['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'], 'in pod templates');
});

test('kinds of versions that the release cannot serve are known too', () => {
  const deployment = kindSchema({ group: 'extensions', version: 'v1beta1', kind: 'Deployment' });
  assert.equal(deployment?.goType, 'v1beta1.Deployment');
  assert.ok(!definitionNames().includes(deployment.name));
  const spec = deployment.byName.get('spec')?.value;
  assert.ok(spec?.kind === 'struct');
  const template = spec.type.byName.get('template')?.value;
  assert.ok(template?.kind === 'struct');
  assert.equal(template.type, schemaOf('io.k8s.api.core.v1.PodTemplateSpec'));
  const known = (group: string, version: string, kind: string): boolean =>
    kindSchema({ group, version, kind }) !== undefined;
  assert.ok(known('extensions', 'v1beta1', 'DeploymentList'));
  assert.ok(known('extensions', 'v1beta1', 'DeleteOptions'));
  assert.ok(known('storage.k8s.io', 'v1beta1', 'StorageClass'));
  assert.ok(known('policy', 'v1beta1', 'Eviction'));
  assert.ok(!known('extensions', 'v1beta1', 'DeploymentSpec'));
  assert.ok(!known('extensions', 'v1beta1', '__proto__'));
  assert.ok(!known('extensions', 'v1', 'Deployment'));
});

test('lists of metadata in v1beta1 have their own field numbers', () => {
  const numbers = (version: string): (number | undefined)[] | undefined =>
    kindSchema({ group: 'meta.k8s.io', version, kind: 'PartialObjectMetadataList' })?.fields.map(
      (each) => each.protobuf,
    );
  assert.deepEqual(numbers('v1'), [undefined, undefined, 1, 2]);
  assert.deepEqual(numbers('v1beta1'), [undefined, undefined, 2, 1]);
});

test('every resource has its kind, and its list kind if it can be listed', () => {
  for (const facts of resources()) {
    assert.equal(kindSchema(facts)?.name, facts.definition);
    if (!facts.verbs.includes('list')) continue;
    const items = listSchema(facts)?.byName.get('items')?.value;
    assert.ok(items?.kind === 'list' && items.items.kind === 'struct', facts.resource);
    assert.equal(items.items.type.name, facts.definition);
  }
});

test('types carry the names that Go puts into decoding errors', () => {
  const podSpec = 'io.k8s.api.core.v1.PodSpec';
  assert.equal(goType(field('io.k8s.api.core.v1.ConfigMap', 'data').value), 'map[string]string');
  assert.equal(goType(field('io.k8s.api.core.v1.ConfigMap', 'binaryData').value), 'map[string][]uint8');
  assert.equal(goType(field(podSpec, 'containers').value), '[]v1.Container');
  assert.equal(goType(field(podSpec, 'restartPolicy').value), 'v1.RestartPolicy');
  assert.equal(goType(field(podSpec, 'securityContext').value), 'v1.PodSecurityContext');
  assert.equal(goType(field('io.k8s.api.core.v1.ResourceRequirements', 'limits').value), 'v1.ResourceList');
  assert.equal(goType(field('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', 'uid').value), 'types.UID');
  assert.equal(goType(field('io.k8s.api.apps.v1.DeploymentSpec', 'replicas').value), 'int32');
  assert.equal(goType(field('io.k8s.apimachinery.pkg.apis.meta.v1.TableRow', 'cells').value), '[]interface {}');
});

test('named lists are wrapped in protobuf, inlined structs are nested', () => {
  const extra = field('io.k8s.api.authentication.v1.UserInfo', 'extra').value;
  assert.ok(extra.kind === 'map' && extra.values.kind === 'list');
  assert.equal(extra.values.goType, 'v1.ExtraValue');
  assert.equal(extra.values.protobufWrapped, true);
  const hostPath = field('io.k8s.api.core.v1.Volume', 'hostPath');
  assert.deepEqual([hostPath.protobuf, hostPath.protobufWithin], [1, [2]]);
  const verbs = field('io.k8s.api.admissionregistration.v1.NamedRuleWithOperations', 'apiGroups');
  assert.deepEqual([verbs.protobuf, verbs.protobufWithin], [1, [2, 2]]);
});

test('merge and apply facts are on the fields that need them', () => {
  const ports = field('io.k8s.api.core.v1.ServiceSpec', 'ports');
  assert.ok(ports.value.kind === 'list');
  assert.equal(ports.value.listType, 'map');
  assert.deepEqual(ports.value.listMapKeys, ['port', 'protocol']);
  assert.deepEqual([ports.patchStrategy, ports.patchMergeKey], [['merge'], 'port']);
  assert.equal(schemaOf('io.k8s.api.core.v1.ObjectReference').mapType, 'atomic');
  assert.equal(field('io.k8s.api.core.v1.PersistentVolumeSpec', 'claimRef').mapType, 'granular');
  const selector = field('io.k8s.api.core.v1.PodSpec', 'nodeSelector').value;
  assert.ok(selector.kind === 'map');
  assert.equal(selector.mapType, 'atomic');
  assert.deepEqual(schemaOf('io.k8s.api.core.v1.SeccompProfile').unions, [
    { discriminator: 'type', fields: ['localhostProfile'], discriminatorValues: ['LocalhostProfile'] },
  ]);
  assert.equal(field('io.k8s.api.core.v1.ServicePort', 'protocol').default, 'TCP');
});
