import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFieldSelector, validateFieldLabels } from '@binnacle/apimachinery/fields';
import { strategyOf } from '../../resources/index.js';
import { fieldLabelsOf } from './field-labels.js';

/** The selector that results from a label of a kind, or the message that refuses the label. */
function selected(group: string, version: string, kind: string, resource: string, namespaced: boolean, label: string) {
  const labels = fieldLabelsOf(strategyOf(group, resource), { group, version, kind, namespaced });
  try {
    return validateFieldLabels(parseFieldSelector(`${label}=a`), labels).toString();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

test('selectors name the labels of their kind', () => {
  const unknown = (label: string) =>
    `"${label}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
  const pod = (label: string) => selected('', 'v1', 'Pod', 'pods', true, label);
  assert.equal(pod('status.phase'), 'status.phase=a');
  assert.equal(pod('metadata.namespace'), 'metadata.namespace=a');
  assert.equal(pod('spec.host'), 'spec.nodeName=a');
  assert.equal(pod('spec.x'), 'field label not supported: spec.x');

  const volume = (label: string) => selected('', 'v1', 'PersistentVolume', 'persistentvolumes', false, label);
  assert.equal(volume('metadata.namespace'), 'metadata.namespace=a');
  assert.equal(volume('name'), unknown('name'));
  assert.equal(
    selected('apps', 'v1', 'ReplicaSet', 'replicasets', true, 'status.replicas'),
    unknown('status.replicas'),
  );
});

test('kinds with their own labels refuse the namespace of what is in none', () => {
  const refusal = 'field label not supported: metadata.namespace';
  assert.equal(selected('', 'v1', 'Namespace', 'namespaces', false, 'metadata.namespace'), refusal);
  assert.equal(selected('', 'v1', 'Namespace', 'namespaces', false, 'name'), 'field label not supported: name');
  assert.equal(selected('', 'v1', 'Node', 'nodes', false, 'metadata.namespace'), refusal);
});

test('some kinds refuse a label in their own words', () => {
  assert.equal(selected('batch', 'v1', 'Job', 'jobs', true, 'x'), 'field label "x" not supported for Job');
  assert.equal(
    selected('resource.k8s.io', 'v1', 'ResourceSlice', 'resourceslices', false, 'x'),
    'field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: x',
  );
});
