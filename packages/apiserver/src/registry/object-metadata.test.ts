import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject, ManagedFieldsEntry, ObjectMeta } from '@binnacle/apimachinery/meta';
import { fillSystemMetadata, keepGeneration, keepManagerTimes, keepSystemMetadata } from './object-metadata.js';

describe('system metadata', () => {
  it('of a new object comes from the server', () => {
    const metadata: ObjectMeta = { name: 'a', uid: 'mine', resourceVersion: '5', selfLink: '/x', generation: 3 };
    metadata.deletionTimestamp = '2020-01-01T00:00:00Z';
    metadata.deletionGracePeriodSeconds = 5;
    fillSystemMetadata(metadata, Date.UTC(2026, 0, 2), 'new');
    assert.deepEqual(metadata, { name: 'a', uid: 'new', generation: 3, creationTimestamp: '2026-01-02T00:00:00Z' });
  });

  it('survives an update, but for a uid and a grace period that the client names', () => {
    const before: ObjectMeta = {
      uid: 'u',
      creationTimestamp: 'c',
      deletionTimestamp: 'd',
      deletionGracePeriodSeconds: 9,
    };
    const silent: ObjectMeta = { selfLink: '/x' };
    keepSystemMetadata(silent, before);
    assert.deepEqual(silent, before);
    const loud: ObjectMeta = {
      uid: 'other',
      creationTimestamp: 'x',
      deletionTimestamp: 'x',
      deletionGracePeriodSeconds: 1,
    };
    keepSystemMetadata(loud, before);
    assert.deepEqual(loud, { ...before, uid: 'other', deletionGracePeriodSeconds: 1 });
  });

  it('has the generation of before, or none', () => {
    for (const [generation, expected] of [
      [4, { generation: 4 }],
      [undefined, {}],
    ] as const) {
      const metadata: ObjectMeta = { generation: 99 };
      keepGeneration(metadata, generation === undefined ? {} : { generation });
      assert.deepEqual(metadata, expected);
    }
  });
});

describe('keepManagerTimes', () => {
  const managedFields = (time: string): ManagedFieldsEntry[] => [
    { manager: 'a', operation: 'Update', apiVersion: 'v1', time, fieldsType: 'FieldsV1', fieldsV1: { 'f:data': {} } },
  ];
  const objectAt = (time: string, more: object = {}): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name: 'x', resourceVersion: '1', managedFields: managedFields(time) },
    data: { list: ['1', '2'], none: null },
    ...more,
  });
  const encode = (object: Readonly<KubernetesObject>) => Buffer.from(JSON.stringify(object));
  const kept = async (object: KubernetesObject, old: KubernetesObject) => {
    let encodings = 0;
    const counted = (each: Readonly<KubernetesObject>): Uint8Array => {
      encodings++;
      return encode(each);
    };
    await keepManagerTimes(object, old, { canonical: encode(old) }, counted);
    return { time: object.metadata.managedFields?.[0]?.time, encodings };
  };

  it('keeps the times of an update that changes nothing else', async () => {
    assert.deepEqual(await kept(objectAt('2'), objectAt('1')), { time: '1', encodings: 1 });
  });

  it('encodes no object whose content differs', async () => {
    for (const data of [{ list: ['1', '3'] }, { list: ['1', '2'], none: null, more: 1 }]) {
      const old = objectAt('1', { data: { list: ['1', '2'], more: 2 } });
      assert.deepEqual(await kept(objectAt('2', { data }), old), { time: '2', encodings: 0 });
    }
  });

  it('lets the encoding decide about members that only one has, and about many values', async () => {
    const absent = objectAt('1', { data: { list: ['1', '2'] } });
    assert.deepEqual(await kept(objectAt('2'), absent), { time: '2', encodings: 1 });
    const many = Array.from({ length: 10_000 }, () => 'same');
    const changed = objectAt('2', { data: [...many, 'new'] });
    assert.deepEqual(await kept(changed, objectAt('1', { data: [...many, 'old'] })), { time: '2', encodings: 1 });
  });
});
