import assert from 'node:assert/strict';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { HorizontalPodAutoscaler } from '@binnacle/client/kinds/autoscaling/v2';
import { Endpoints, Event, Node, Pod, Service } from '@binnacle/client/kinds/core/v1';
import { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';
import { isTooManyRequests } from '@binnacle/client/rest';
import { eventually, waitFor } from '@binnacle/client/testing';
import { nodeNames, PATIENT } from './cluster.mjs';
import { hasCondition, hasCounts, workload } from './objects.mjs';

/** A Service has its ready pods as endpoints, in both forms, for as long as there are pods. */
export async function walkService(cluster) {
  const of = await cluster.namespace('service');
  const [services, deployments, pods] = [Service, Deployment, Pod].map(of);
  const { spec } = await services.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  });
  assert.match(spec.clusterIP, /^10\.0\.0\.\d+$/);
  await deployments.create(workload('Deployment', 'web', { replicas: 2 }));
  await waitFor(deployments, 'web', hasCounts({ availableReplicas: 2 }), PATIENT);
  const uids = (await pods.list()).items.map(({ metadata }) => metadata.uid);
  const ready = async () => {
    const { items } = await of(EndpointSlice).list({ labelSelector: 'kubernetes.io/service-name=web' });
    assert.ok(items.every(({ ports }) => ports[0].port === 8080));
    return items
      .flatMap(({ endpoints }) => endpoints ?? [])
      .filter(({ conditions }) => conditions.ready)
      .map(({ targetRef }) => targetRef.uid);
  };
  await eventually(async () => assert.deepEqual((await ready()).sort(), uids.sort()), PATIENT);
  await waitFor(of(Endpoints), 'web', ({ subsets }) => subsets?.[0]?.addresses?.length > 0, PATIENT);
  await deployments.scale.patch('web', { type: 'merge', body: { spec: { replicas: 0 } } });
  await eventually(async () => assert.deepEqual(await ready(), []), PATIENT);
}

/** A node is drained: a budget lets its pods go as others become ready on other nodes. */
export async function walkDrain(cluster) {
  const of = await cluster.namespace('drain');
  const [deployments, budgets, pods] = [Deployment, PodDisruptionBudget, Pod].map(of);
  const nodes = cluster.client.resource(Node);
  const [drained] = nodeNames;
  const cordon = (unschedulable) => nodes.patch(drained, { type: 'merge', body: { spec: { unschedulable } } });
  await deployments.create(workload('Deployment', 'web', { replicas: 4 }));
  await budgets.create({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { minAvailable: 4, selector: { matchLabels: { app: 'web' } } },
  });
  const allows = (count) =>
    waitFor(budgets, 'web', hasCounts({ currentHealthy: 4, disruptionsAllowed: count }), PATIENT);
  await waitFor(deployments, 'web', hasCounts({ availableReplicas: 4 }), PATIENT);
  await allows(0);
  // Hollow kubelets say that a pod is ready before it runs, and until then it may be evicted.
  await eventually(async () => {
    assert.equal((await pods.list({ fieldSelector: 'status.phase=Running' })).items.length, 4);
  }, PATIENT);
  const onNode = async () => (await pods.list({ fieldSelector: `spec.nodeName=${drained}` })).items;
  const [first] = await onNode();
  await assert.rejects(pods.eviction.create(first.metadata.name, {}), isTooManyRequests);
  await budgets.patch('web', { type: 'merge', body: { spec: { minAvailable: 3 } } });
  await allows(1);

  await cordon(true);
  await waitFor(nodes, drained, ({ spec }) => spec.taints?.[0]?.key === 'node.kubernetes.io/unschedulable', PATIENT);
  for (const { metadata } of await onNode()) {
    await eventually(() => pods.eviction.create(metadata.name, {}), PATIENT);
  }
  await eventually(async () => assert.deepEqual(await onNode(), []), PATIENT);
  await waitFor(deployments, 'web', hasCounts({ availableReplicas: 4 }), PATIENT);
  await cordon(null);
  await waitFor(nodes, drained, ({ spec }) => (spec.taints ?? []).length === 0, PATIENT);
}

/** There are no metrics to scale by: the autoscaler says so, and leaves the scale as it is. */
export async function walkAutoscaler(cluster) {
  const of = await cluster.namespace('autoscaler');
  const autoscalers = of(HorizontalPodAutoscaler);
  await of(Deployment).create(workload('Deployment', 'web', { replicas: 1 }));
  await autoscalers.create({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      maxReplicas: 3,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      ],
    },
  });
  await waitFor(autoscalers, 'web', hasCondition('AbleToScale', 'True', 'SucceededGetScale'), PATIENT);
  await waitFor(autoscalers, 'web', hasCondition('ScalingActive', 'False', 'FailedGetResourceMetric'), PATIENT);
  await eventually(async () => {
    const { items } = await of(Event).list({ fieldSelector: 'reason=FailedGetResourceMetric' });
    assert.equal(items[0]?.involvedObject.name, 'web');
  }, PATIENT);
}
