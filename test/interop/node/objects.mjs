import assert from 'node:assert/strict';
import { AppsV1Api } from './client-node.mjs';
import { configMap, deployment, inNamespace, refused } from './support.mjs';

/** Creates, reads, writes, lists in pages and deletes. */
export const walkObjects = (config, namespace) =>
  inNamespace(config, namespace, async (core) => {
    const created = await core.createNamespacedConfigMap({ namespace, body: configMap('a', { n: '1' }) });
    assert.ok(created.metadata.creationTimestamp instanceof Date);
    await refused(core.createNamespacedConfigMap({ namespace, body: configMap('a') }), 409, 'AlreadyExists');
    await refused(core.createNamespacedConfigMap({ namespace, body: configMap('A') }), 422, 'Invalid');
    const read = await core.readNamespacedConfigMap({ namespace, name: 'a' });
    assert.deepEqual(read, created);

    const replace = (body) => core.replaceNamespacedConfigMap({ namespace, name: 'a', body });
    const replaced = await replace({ ...read, data: { n: '2' } });
    assert.deepEqual([replaced.data, replaced.metadata.uid], [{ n: '2' }, created.metadata.uid]);
    await refused(replace({ ...read, data: { n: '3' } }), 409, 'Conflict');
    await core.createNamespacedConfigMap({ namespace, body: configMap('dry'), dryRun: 'All' });
    await refused(core.readNamespacedConfigMap({ namespace, name: 'dry' }), 404, 'NotFound');

    for (let n = 0; n < 12; n++) {
      await core.createNamespacedConfigMap({ namespace, body: configMap(`map-${n}`, {}, { page: 'yes' }) });
    }
    const names = [];
    let _continue;
    do {
      const page = await core.listNamespacedConfigMap({ namespace, labelSelector: 'page', limit: 5, _continue });
      assert.ok(page.items.length <= 5);
      names.push(...page.items.map(({ metadata }) => metadata.name));
      _continue = page.metadata._continue;
    } while (_continue);
    assert.equal(new Set(names).size, 12);
    const one = await core.listConfigMapForAllNamespaces({
      fieldSelector: 'metadata.name=map-3',
      labelSelector: 'page',
    });
    assert.equal(one.items.length, 1);
    await core.deleteCollectionNamespacedConfigMap({ namespace, labelSelector: 'page' });
    assert.equal((await core.listNamespacedConfigMap({ namespace, labelSelector: 'page' })).items.length, 0);

    const apps = config.makeApiClient(AppsV1Api);
    const web = { namespace, name: 'web' };
    await apps.createNamespacedDeployment({ namespace, body: deployment('web', 'app') });
    const scale = await apps.readNamespacedDeploymentScale(web);
    await apps.replaceNamespacedDeploymentScale({ ...web, body: { ...scale, spec: { replicas: 3 } } });
    const scaled = await apps.readNamespacedDeployment(web);
    assert.equal(scaled.spec.replicas, 3);
    await apps.replaceNamespacedDeploymentStatus({
      ...web,
      body: { ...scaled, status: { replicas: 1, readyReplicas: 1 } },
    });
    assert.equal((await apps.readNamespacedDeploymentStatus(web)).status.readyReplicas, 1);
    await core.deleteNamespacedConfigMap({
      namespace,
      name: 'a',
      body: { preconditions: { uid: created.metadata.uid } },
    });
    await refused(core.readNamespacedConfigMap({ namespace, name: 'a' }), 404, 'NotFound');
  });
