import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { kindSchema, schemaOf } from '@binnacle/api/table';
import { BuiltInCodec } from '../codec/index.js';
import { scaleView } from './scale-view.js';

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
const scale = scaleView(
  new BuiltInCodec(scaleKind, kindSchema(scaleKind) ?? schemaOf('')),
  { selector: () => 'app=web', apiVersion: 'apps/v1', wanted: new Map([['apps/v1', ['spec', 'replicas']]]) },
  undefined,
);

function deployment(): KubernetesObject {
  return {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { name: 'web', namespace: 'default', uid: 'u', resourceVersion: '5', labels: { a: 'b' } },
    spec: { replicas: 3, paused: true },
    status: { replicas: 2, readyReplicas: 1 },
  };
}

describe('the scale of a workload', () => {
  it('shows replicas and selector', () => {
    assert.deepEqual(scale.present(deployment()), {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'web', namespace: 'default', uid: 'u', resourceVersion: '5' },
      spec: { replicas: 3 },
      status: { replicas: 2, selector: 'app=web' },
    });
    const { spec: _spec, status: _status, ...bare } = deployment();
    assert.deepEqual(scale.present(bare).status, { replicas: 0, selector: 'app=web' });
  });

  it('changes only the replicas, and passes resourceVersion and uid on', () => {
    const current = deployment();
    const sent = scale.present(current);
    sent.spec = { replicas: 7 };
    sent.metadata.resourceVersion = '4';
    const object = scale.accept(sent, current);
    assert.deepEqual(object.spec, { replicas: 7, paused: true });
    assert.deepEqual(object.status, current.status);
    assert.deepEqual(object.metadata, { ...current.metadata, resourceVersion: '4' });
    assert.deepEqual(current.spec, { replicas: 3, paused: true });
    delete sent.metadata.resourceVersion;
    assert.equal(scale.accept(sent, current).metadata.resourceVersion, undefined);
  });
});
