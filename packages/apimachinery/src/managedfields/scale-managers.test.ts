import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ManagedFieldsEntry } from '../meta/index.js';
import { fromScaleManagers, toScaleManagers } from './index.js';

const paths = new Map([['apps/v1', ['spec', 'replicas']]]);

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
    assert.deepEqual(toScaleManagers(entries, paths), [entry('a', inScale)]);
    assert.equal(toScaleManagers(undefined, paths), undefined);
  });

  it('keep their fields if they keep the replicas', () => {
    const entries = [entry('a', both), entry('b', other)];
    assert.deepEqual(fromScaleManagers(entries, toScaleManagers(entries, paths), 'apps/v1', paths), entries);
  });

  it('lose only the replicas, to an owner without a time', () => {
    const entries = [entry('a', both), entry('b'), entry('c', { apiVersion: 'apps/v0' })];
    const taken = [entry('hpa', { ...inScale, subresource: 'scale' })];
    assert.deepEqual(fromScaleManagers(entries, taken, 'apps/v1', paths), [timeless, entry('a', other)]);
  });

  it('are separated by version for updates, and so lose their time', () => {
    const entries = [entry('hpa', { operation: 'Update', subresource: 'scale' })];
    assert.deepEqual(fromScaleManagers(entries, toScaleManagers(entries, paths), 'apps/v1', paths), [
      { ...timeless, operation: 'Update' },
    ]);
  });

  it('own the replicas under the path that each version of a custom resource has', () => {
    const custom = new Map([
      ['shop.io/v1', ['spec', 'size', 'wanted']],
      ['shop.io/v2', ['spec', 'count']],
      ['shop.io/v3', undefined],
    ]);
    const size = { apiVersion: 'shop.io/v1', fieldsV1: { 'f:spec': { 'f:size': { 'f:wanted': {} } } } };
    const count = { apiVersion: 'shop.io/v2', fieldsV1: { 'f:spec': { 'f:count': {} } } };
    const neither = entry('c', { apiVersion: 'shop.io/v3' });
    const entries = [entry('a', size), entry('b', count), neither];
    const shown = [entry('a', inScale), entry('b', inScale)];
    assert.deepEqual(toScaleManagers(entries, custom), shown);
    assert.deepEqual(fromScaleManagers(entries, shown, 'shop.io/v1', custom), entries);
    const taken = [entry('hpa', { ...inScale, subresource: 'scale' })];
    assert.deepEqual(fromScaleManagers(entries, taken, 'shop.io/v1', custom), [{ ...timeless, ...size }, neither]);
  });

  it('cannot be read from invalid entries', () => {
    assert.throws(() => toScaleManagers([{}], paths), { code: 500 });
  });
});
