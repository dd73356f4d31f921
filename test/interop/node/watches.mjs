import assert from 'node:assert/strict';
import { Watch } from './client-node.mjs';
import { configMap, eventually, inNamespace } from './support.mjs';

/** Watches from a list on, with a selector, and until the server ends it. */
export const walkWatches = (config, namespace) =>
  inNamespace(config, namespace, async (core) => {
    const { metadata } = await core.listNamespacedConfigMap({ namespace });
    const watch = async (options) => {
      const watching = { events: [], error: undefined, hasEnded: false };
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      watching.controller = await new Watch(config).watch(
        path,
        { resourceVersion: metadata.resourceVersion, ...options },
        (type, object) => watching.events.push(`${type} ${object.metadata.name}`),
        (error) => Object.assign(watching, { error, hasEnded: true }),
      );
      return watching;
    };
    const all = await watch({});
    const chosen = await watch({ labelSelector: 'chosen', allowWatchBookmarks: true });
    const short = await watch({ timeoutSeconds: 1 });

    const create = (name, labels) => core.createNamespacedConfigMap({ namespace, body: configMap(name, {}, labels) });
    const a = await create('a', { chosen: 'yes' });
    await core.replaceNamespacedConfigMap({
      namespace,
      name: 'a',
      body: { ...a, metadata: { ...a.metadata, labels: {} } },
    });
    await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
    await create('b', { chosen: 'yes' });
    await eventually('all events', () => all.events.length === 4 && chosen.events.length === 3);
    assert.deepEqual(all.events, ['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED b']);
    assert.deepEqual(chosen.events, ['ADDED a', 'DELETED a', 'ADDED b']);
    await eventually('the end of the short one', () => short.hasEnded);
    assert.equal(short.error, null);
    for (const { controller } of [all, chosen]) controller.abort();
    await eventually('the end of the others', () => all.hasEnded && chosen.hasEnded);
  });
