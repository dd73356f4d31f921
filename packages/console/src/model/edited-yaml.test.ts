import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stringifyYaml } from '@binnacle/apimachinery/yaml';
import { rebased, withoutManagedFields } from './index.js';

describe('the YAML to edit', () => {
  it('has no managed fields, and everything else', () => {
    const rest = {
      apiVersion: 'v1',
      data: { managedFields: ['x'] },
      kind: 'A',
      metadata: { annotations: { managedFields: 'x' }, labels: { a: 'b' }, name: 'a' },
      spec: { managedFields: [1] },
    };
    const managed = [
      { manager: 'a', operation: 'Update', fieldsV1: { 'f:x': { 'k:{"a":1}': { '.': {} } } } },
      { manager: 'b', operation: 'Update', fieldsV1: {} },
    ];
    const full = { ...rest, metadata: { ...rest.metadata, managedFields: managed } };
    assert.equal(withoutManagedFields(stringifyYaml(full)), stringifyYaml(rest));
    assert.equal(withoutManagedFields(stringifyYaml(rest)), stringifyYaml(rest));
  });

  it('can still be written when only the status has changed', () => {
    const version = (resourceVersion: string, replicas: number, ready: number) =>
      stringifyYaml({
        kind: 'A',
        metadata: { name: 'a', resourceVersion },
        spec: { replicas },
        status: { list: [1], ready },
      });
    const base = version('1', 3, 2);
    const edited = base.replace('replicas: 3', 'replicas: 4');
    assert.equal(rebased(edited, base, version('7', 3, 3)), edited.replace('"1"', '"7"'));
    assert.equal(rebased(edited, base, version('7', 5, 3)), undefined);
    assert.equal(rebased(edited, base, 'kind: A\n'), undefined);
  });
});
