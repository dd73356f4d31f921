import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectMeta } from '../meta/index.js';
import { fieldErrorDetail } from '../status/index.js';
import { nameIsDnsSubdomain, validateFinalizerDomains, validateObjectMeta, validateObjectMetaUpdate } from './index.js';

function texts(meta: ObjectMeta): string[] {
  return validateObjectMeta(meta, { namespaced: true, validateName: nameIsDnsSubdomain }).map(
    (error) => `${error.field}: ${fieldErrorDetail(error)}`,
  );
}

const fine: ObjectMeta = { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1' };

test('a plain object is valid', () => {
  assert.deepEqual(texts(fine), []);
});

test('names and namespaces', () => {
  assert.deepEqual(texts({ namespace: 'n' }), ['metadata.name: Required value: name or generateName is required']);
  assert.deepEqual(texts({ name: 'a' }), ['metadata.namespace: Required value']);
  const cluster = validateObjectMeta(fine, { namespaced: false });
  assert.deepEqual(cluster.map(fieldErrorDetail), ['Forbidden: not allowed on this type']);
});

test('owner references', () => {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u1', controller: true };
  assert.deepEqual(texts({ ...fine, ownerReferences: [{ ...owner, uid: '' }] }), [
    'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
  ]);
  assert.deepEqual(
    texts({
      ...fine,
      ownerReferences: [owner, { uid: 'u2', name: 'p', kind: 'ConfigMap', apiVersion: 'v1', controller: true }],
    }),
    [
      'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":"u1","controller":true},{"apiVersion":"v1","kind":"ConfigMap","name":"p","uid":"u2","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for ConfigMap/o and ConfigMap/p',
    ],
  );
  assert.deepEqual(texts({ ...fine, ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' }] }), [
    'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"e","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
  ]);
});

test('stops after the maximum number of owner reference errors', () => {
  const owners = (count: number, more: object) =>
    Array.from({ length: count }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'A',
      name: 'a',
      uid: `u${index}`,
      ...more,
    }));
  const controllers = texts({ ...fine, ownerReferences: owners(5000, { controller: true }) });
  assert.equal(controllers.length, 3);
  assert.ok(controllers.every((text) => text.endsWith('Found "true" in references for A/a and A/a')));
  assert.equal(texts({ ...fine, ownerReferences: owners(20_000, { name: '' }) }).length, 10_000);
});

test('annotations have a size limit', () => {
  assert.deepEqual(texts({ ...fine, annotations: { a: 'x'.repeat(256 * 1024) } }), [
    'metadata.annotations: Too long: may not be more than 262144 bytes',
  ]);
});

test('finalizers', () => {
  assert.deepEqual(texts({ ...fine, finalizers: ['orphan', 'foregroundDeletion'] }), [
    'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
  ]);
  const domains = validateFinalizerDomains(['kubernetes', 'nodomain'], 'metadata.finalizers');
  assert.deepEqual(
    domains.map((error) => `${error.field} ${error.detail}`),
    ['metadata.finalizers[1] name is neither a standard finalizer name nor is it fully qualified'],
  );
});

test('an update keeps identity, and adds no finalizers during deletion', () => {
  const deleting: ObjectMeta = { ...fine, deletionTimestamp: '2020-01-01T00:00:00Z', finalizers: ['a/b'] };
  const errors = validateObjectMetaUpdate({ ...deleting, finalizers: ['a/b', 'c/d'], uid: 'other' }, deleting);
  assert.deepEqual(errors.map(fieldErrorDetail), [
    'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"c/d"}',
    'Invalid value: "other": field is immutable',
  ]);
  const { resourceVersion: _, ...unversioned } = fine;
  assert.deepEqual(validateObjectMetaUpdate(unversioned, fine).map(fieldErrorDetail), [
    'Invalid value: "": must be specified for an update',
  ]);
  assert.deepEqual(
    validateObjectMetaUpdate({ ...fine, generation: 1 }, { ...fine, generation: 2 }).map(fieldErrorDetail),
    ['Invalid value: 1: must not be decremented'],
  );
});
