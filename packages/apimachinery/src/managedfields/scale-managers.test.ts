import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ManagedFieldsEntry } from '../meta/index.js';
import { fromScaleManagers, toScaleManagers } from './index.js';

const versions = new Set(['apps/v1']);

function entry(manager: string, facts: ManagedFieldsEntry = {}): ManagedFieldsEntry {
  return {
    manager,
    operation: 'Apply',
    apiVersion: 'apps/v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    ...facts,
  };
}

const other = { fieldsV1: { 'f:spec': { 'f:paused': {} } } };
const both = { fieldsV1: { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } } };
const inScale = { apiVersion: 'autoscaling/v1' };
const { time: _, ...timeless } = entry('hpa', { subresource: 'scale' });

describe('the managers of a scale', () => {
  it('are the owners of the replicas', () => {
    const entries = [entry('a', both), entry('b', other), entry('c', { apiVersion: 'apps/v0' })];
    assert.deepEqual(toScaleManagers(entries, versions), [entry('a', inScale)]);
    assert.equal(toScaleManagers(undefined, versions), undefined);
  });

  it('keep their fields if they keep the replicas', () => {
    const entries = [entry('a', both), entry('b', other)];
    assert.deepEqual(fromScaleManagers(entries, toScaleManagers(entries, versions), 'apps/v1', versions), entries);
  });

  it('lose only the replicas, to an owner without a time', () => {
    const entries = [entry('a', both), entry('b'), entry('c', { apiVersion: 'apps/v0' })];
    const taken = [entry('hpa', { ...inScale, subresource: 'scale' })];
    assert.deepEqual(fromScaleManagers(entries, taken, 'apps/v1', versions), [timeless, entry('a', other)]);
  });

  it('are separated by version for updates, and so lose their time', () => {
    const entries = [entry('hpa', { operation: 'Update', subresource: 'scale' })];
    assert.deepEqual(fromScaleManagers(entries, toScaleManagers(entries, versions), 'apps/v1', versions), [
      { ...timeless, operation: 'Update' },
    ]);
  });

  it('cannot be read from invalid entries', () => {
    assert.throws(() => toScaleManagers([{}], versions), { code: 500 });
  });
});
