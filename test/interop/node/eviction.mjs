import assert from 'node:assert/strict';
import { PolicyV1Api } from './client-node.mjs';
import { inNamespace, refused } from './support.mjs';

/** Evicts pods that a budget guards. */
export const walkEviction = (config, namespace) =>
  inNamespace(config, namespace, async (core) => {
    const policy = config.makeApiClient(PolicyV1Api);
    for (const name of ['a', 'b']) {
      const pod = await core.createNamespacedPod({
        namespace,
        body: {
          metadata: { name, labels: { app: 'guarded' } },
          spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'app', image: 'example.com/app' }] },
        },
      });
      // Pods that do not run may be evicted whatever the budget says.
      const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
      await core.replaceNamespacedPodStatus({ namespace, name, body: { ...pod, status } });
    }
    const budget = await policy.createNamespacedPodDisruptionBudget({
      namespace,
      body: { metadata: { name: 'guard' }, spec: { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } } },
    });
    assert.equal(budget.spec.minAvailable, 1);
    const evict = (name) => core.createNamespacedPodEviction({ namespace, name, body: { metadata: { name } } });
    await refused(evict('a'), 429, 'TooManyRequests');
    const status = {
      observedGeneration: budget.metadata.generation,
      disruptionsAllowed: 1,
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 2,
    };
    await policy.replaceNamespacedPodDisruptionBudgetStatus({ namespace, name: 'guard', body: { ...budget, status } });
    await evict('a');
    await refused(core.readNamespacedPod({ namespace, name: 'a' }), 404, 'NotFound');
    await refused(evict('b'), 429, 'TooManyRequests');
  });
