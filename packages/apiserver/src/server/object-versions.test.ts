import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { GroupVersionKind, KubernetesObject, ManagedFieldsEntry } from '@binnacle/apimachinery/meta';
import { WorkBudget } from '@binnacle/apimachinery/work';
import { openMemoryKV } from '@binnacle/kv/memory';
import type { ObjectVersions } from '../admission/index.js';
import { viewVersions } from '../endpoints/index.js';
import { testResourceApi } from './server.testing.js';

/** Runs with the versions of a resource that is served by default. */
async function withVersions(
  [group, version, resource, subresource = '']: readonly string[],
  run: (versions: ObjectVersions) => Promise<void>,
): Promise<void> {
  await using kv = openMemoryKV();
  const api = testResourceApi(kv);
  try {
    const endpoint = api.router.endpoint(group ?? '', version ?? '', resource ?? '');
    const view = subresource === '' ? endpoint?.main : endpoint?.subresources.get(subresource)?.view;
    assert.ok(endpoint !== undefined && view !== undefined);
    await run(viewVersions({ endpoint, view, budget: new WorkBudget() }));
  } finally {
    api.stop();
  }
}

async function shown(versions: ObjectVersions, object: KubernetesObject, kind: GroupVersionKind) {
  const document = await versions.document(object, kind);
  assert.deepEqual(document, JSON.parse(Buffer.from(await versions.encode(object, kind)).toString()));
  return document as JsonObject & { metadata: JsonObject; spec: JsonObject };
}

const autoscaler = (version: string) => ({ group: 'autoscaling', version, kind: 'HorizontalPodAutoscaler' });
const target = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };
const stored = (): KubernetesObject => ({
  kind: 'HorizontalPodAutoscaler',
  apiVersion: 'autoscaling/v2',
  metadata: { name: 'h' },
  spec: { scaleTargetRef: target, maxReplicas: 3 },
});
const HPA = ['autoscaling', 'v2', 'horizontalpodautoscalers'];

describe('the versions of an object', () => {
  it('are those of every resource that serves it', async () => {
    await withVersions(HPA, async (versions) => {
      assert.deepEqual(
        versions.equivalents().map(({ resource, kind }) => [resource.version, kind.version]),
        [
          ['v2', 'v2'],
          ['v1', 'v1'],
        ],
      );
    });
    await withVersions(['', 'v1', 'events'], async (versions) => {
      assert.deepEqual(
        versions.equivalents().map(({ resource }) => resource.group),
        ['', 'events.k8s.io'],
      );
    });
    await withVersions(['apps', 'v1', 'deployments', 'scale'], async (versions) => {
      assert.deepEqual(
        versions.equivalents().map(({ kind }) => kind.kind),
        ['Scale'],
      );
    });
  });

  it('convert there and back, with defaults', async () => {
    await withVersions(HPA, async (versions) => {
      const document = await shown(versions, stored(), autoscaler('v1'));
      assert.equal(document.apiVersion, 'autoscaling/v1');
      const changed = { ...document, spec: { ...document.spec, maxReplicas: 4 } };
      const decoded = await versions.decode(changed, autoscaler('v1'), stored());
      assert.equal(decoded.apiVersion, 'autoscaling/v2');
      assert.equal((decoded.spec as JsonObject).maxReplicas, 4);
    });
  });

  it('are no other kind', async () => {
    await withVersions(HPA, async (versions) => {
      const refuse = (document: JsonObject) => versions.decode(document, autoscaler('v2'), stored());
      const document = await shown(versions, stored(), autoscaler('v2'));
      await assert.rejects(async () => refuse({ ...document, apiVersion: 'autoscaling/v9' }), {
        code: 500,
        message:
          'Internal error occurred: no kind "HorizontalPodAutoscaler" is registered for version "autoscaling/v9" in scheme "pkg/api/legacyscheme/scheme.go:30"',
      });
      await assert.rejects(async () => refuse({ ...document, kind: 'Scale', apiVersion: 'autoscaling/v1' }), {
        code: 500,
      });
      await assert.rejects(async () => refuse({ ...document, spec: 'text' }), {
        code: 500,
        message:
          'Internal error occurred: json: cannot unmarshal string into Go struct field HorizontalPodAutoscaler.spec of type v2.HorizontalPodAutoscalerSpec',
      });
    });
  });

  it('keep the managers that a scale does not show', async () => {
    await withVersions(['apps', 'v1', 'deployments', 'scale'], async (versions) => {
      const managedFields: ManagedFieldsEntry[] = [
        {
          manager: 'me',
          operation: 'Apply',
          apiVersion: 'apps/v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': { 'f:replicas': {} } },
        },
      ];
      const deployment: KubernetesObject = {
        kind: 'Deployment',
        apiVersion: 'apps/v1',
        metadata: { name: 'd', namespace: 'n', managedFields },
        spec: { replicas: 1, selector: { matchLabels: { a: 'b' } } },
      };
      const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
      const document = await shown(versions, deployment, scale);
      assert.equal(document.metadata.managedFields, undefined);
      const decoded = await versions.decode({ ...document, spec: { replicas: 5 } }, scale, deployment);
      assert.equal((decoded.spec as JsonObject).replicas, 5);
      assert.deepEqual(decoded.metadata.managedFields, managedFields);
    });
  });
});
