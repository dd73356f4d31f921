import assert from 'node:assert/strict';
import { KubernetesObjectApi, loadYaml, PatchStrategy } from './client-node.mjs';
import { inNamespace, refused } from './support.mjs';

const manifest = (namespace, replicas) =>
  loadYaml(`
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: ${namespace} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: app, image: example.com/app, ports: [{ containerPort: 80 }] }] }
`);

/** Applies objects of which it knows the kind only by their text: two managers quarrel. */
export const walkApply = (config, namespace) =>
  inNamespace(config, namespace, async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const apply = (object, manager, force) =>
      objects.patch(object, undefined, undefined, manager, force, PatchStrategy.ServerSideApply);
    const created = await apply(manifest(namespace, 1), 'one');
    assert.equal(created.metadata.managedFields[0].manager, 'one');
    const again = await apply(manifest(namespace, 1), 'one');
    assert.equal(again.metadata.resourceVersion, created.metadata.resourceVersion);
    await refused(apply(manifest(namespace, 2), 'two'), 409, 'Conflict');
    assert.equal((await apply(manifest(namespace, 2), 'two', true)).spec.replicas, 2);

    const read = await objects.read({ ...created, metadata: { name: 'web', namespace } });
    assert.equal(read.spec.replicas, 2);
    const replaced = await objects.replace({ ...read, spec: { ...read.spec, replicas: 3 } });
    assert.equal(replaced.spec.replicas, 3);
    const list = await objects.list('apps/v1', 'Deployment', namespace);
    assert.deepEqual(
      list.items.map(({ metadata }) => metadata.name),
      ['web'],
    );
    await objects.delete(read);
    await refused(objects.read(read), 404, 'NotFound');
  });
