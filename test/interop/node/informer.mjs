import assert from 'node:assert/strict';
import { makeInformer } from './client-node.mjs';
import { configMap, eventually, inNamespace } from './support.mjs';

/** Keeps a namespace in memory while it changes. */
export const walkInformer = (config, namespace) =>
  inNamespace(config, namespace, async (core) => {
    const create = (n) =>
      core.createNamespacedConfigMap({ namespace, body: configMap(`map-${n}`, { n: '1' }, { walk: 'informer' }) });
    for (let n = 0; n < 40; n++) await create(n);
    const labelSelector = 'walk=informer';
    const list = () => core.listNamespacedConfigMap({ namespace, labelSelector });
    const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, list, labelSelector);
    const heard = { add: 0, update: 0, delete: 0 };
    const errors = [];
    for (const verb of Object.keys(heard)) informer.on(verb, () => (heard[verb] += 1));
    informer.on('error', (error) => errors.push(error));
    await informer.start();
    await eventually('the list', () => heard.add === 40);

    for (let n = 0; n < 20; n++) {
      await create(40 + n);
      const body = configMap(`map-${n}`, { n: '2' }, { walk: 'informer' });
      await core.replaceNamespacedConfigMap({ namespace, name: body.metadata.name, body });
      await core.deleteNamespacedConfigMap({ namespace, name: `map-${39 - n}` });
    }
    await eventually('all changes', () => heard.add === 60 && heard.update === 20 && heard.delete === 20);
    const versions = (items) => items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`).toSorted();
    assert.deepEqual(versions(informer.list(namespace)), versions((await list()).items));
    // A watch that is stopped is told as an error.
    assert.deepEqual(errors, []);
    await informer.stop();
  });
