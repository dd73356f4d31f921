import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { CoreV1Api } from './client-node.mjs';

/** Looks until something is so. */
export async function eventually(what, holds) {
  const deadline = Date.now() + 30_000;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `still not so: ${what}`);
    await wait(20);
  }
}

/** Expects a refusal with a code, and with the reason that a Status gives. */
export const refused = (promise, code, reason) =>
  assert.rejects(promise, (error) => {
    const status = typeof error.body === 'string' ? JSON.parse(error.body) : error.body;
    assert.deepEqual([error.code, status?.reason], [code, reason]);
    return true;
  });

/** A namespace of that name for as long as `use` runs. */
export async function inNamespace(config, name, use) {
  const core = config.makeApiClient(CoreV1Api);
  await core.createNamespace({ body: { metadata: { name } } });
  await eventually('what every namespace has', () =>
    Promise.all([
      core.readNamespacedServiceAccount({ namespace: name, name: 'default' }),
      core.readNamespacedConfigMap({ namespace: name, name: 'kube-root-ca.crt' }),
    ]).then(
      () => true,
      () => false,
    ),
  );
  await use(core);
  await core.deleteNamespace({ name });
}

export const configMap = (name, data = {}, labels = {}) => ({ metadata: { name, labels }, data });

export const deployment = (name, ...containers) => ({
  metadata: { name },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: containers.map((each) => ({ name: each, image: `example.com/${each}` })) },
    },
  },
});
