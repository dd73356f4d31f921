import assert from 'node:assert/strict';
import { AppsV1Api, PatchStrategy, setHeaderOptions } from './client-node.mjs';
import { deployment, inNamespace, refused } from './support.mjs';

/** Patches a deployment in each of the four ways. */
export const walkPatches = (config, namespace) =>
  inNamespace(config, namespace, async () => {
    const apps = config.makeApiClient(AppsV1Api);
    await apps.createNamespacedDeployment({ namespace, body: deployment('web', 'app', 'log') });
    const patch = (strategy, body, options = {}) =>
      apps.patchNamespacedDeployment(
        { namespace, name: 'web', body, fieldManager: 'patcher', ...options },
        setHeaderOptions('Content-Type', strategy),
      );
    const containersOf = (web) => web.spec.template.spec.containers.map(({ name, image }) => `${name}=${image}`);
    const containers = (...all) => ({ spec: { template: { spec: { containers: all } } } });

    let web = await patch(PatchStrategy.JsonPatch, [
      { op: 'test', path: '/spec/replicas', value: 1 },
      { op: 'replace', path: '/spec/replicas', value: 2 },
      { op: 'remove', path: '/spec/template/spec/containers/1' },
    ]);
    assert.deepEqual([web.spec.replicas, containersOf(web)], [2, ['app=example.com/app']]);
    await refused(patch(PatchStrategy.JsonPatch, [{ op: 'test', path: '/spec/replicas', value: 1 }]), 422, 'Invalid');

    const side = { name: 'side', image: 'example.com/side' };
    web = await patch(PatchStrategy.StrategicMergePatch, containers(side));
    assert.deepEqual(containersOf(web), ['side=example.com/side', 'app=example.com/app']);
    web = await patch(PatchStrategy.StrategicMergePatch, containers({ name: 'side', $patch: 'delete' }));
    assert.deepEqual(containersOf(web), ['app=example.com/app']);
    web = await patch(PatchStrategy.MergePatch, containers({ name: 'only', image: 'example.com/only' }));
    assert.deepEqual(containersOf(web), ['only=example.com/only']);

    const applied = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 5 } };
    await refused(patch(PatchStrategy.ServerSideApply, applied, { fieldManager: 'applier' }), 409, 'Conflict');
    web = await patch(PatchStrategy.ServerSideApply, applied, { fieldManager: 'applier', force: true });
    assert.equal(web.spec.replicas, 5);
  });
