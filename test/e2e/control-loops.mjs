/**
 * Writes what a cluster's control loops would write after a change, once, with the same requests. `kubectl` is a
 * {@link Kubectl}.
 */
const apps = (namespace, resource, name) => `/apis/apps/v1/namespaces/${namespace}/${resource}/${name}`;

/** The deployment controller: a replica set of the current template with its revision, and a healthy status. */
export async function settleDeployment(kubectl, namespace, name) {
  const path = apps(namespace, 'deployments', name);
  const deployment = await kubectl.request('GET', path);
  const list = await kubectl.request('GET', `/apis/apps/v1/namespaces/${namespace}/replicasets`);
  const owned = list.items.filter((item) => item.metadata.ownerReferences?.[0]?.uid === deployment.metadata.uid);
  const revisionKey = 'deployment.kubernetes.io/revision';
  const newest = Math.max(0, ...owned.map((item) => Number(item.metadata.annotations[revisionKey])));
  const hash = templateHash(deployment.spec.template);
  const labels = { ...deployment.spec.template.metadata.labels, 'pod-template-hash': hash };

  const current = owned.find((item) => item.metadata.labels['pod-template-hash'] === hash);
  let revision = Number(current?.metadata.annotations[revisionKey] ?? 0);
  if (current === undefined) {
    revision = newest + 1;
    await kubectl.request('POST', `/apis/apps/v1/namespaces/${namespace}/replicasets`, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${name}-${hash}`,
        labels,
        annotations: { [revisionKey]: String(revision) },
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            name,
            uid: deployment.metadata.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        replicas: deployment.spec.replicas,
        selector: { matchLabels: { ...deployment.spec.selector.matchLabels, 'pod-template-hash': hash } },
        template: { ...deployment.spec.template, metadata: { ...deployment.spec.template.metadata, labels } },
      },
    });
  } else if (revision < newest) {
    // A template that returns gets a new revision, as after `rollout undo`.
    revision = newest + 1;
    await kubectl.merge(apps(namespace, 'replicasets', current.metadata.name), {
      metadata: { annotations: { [revisionKey]: String(revision) } },
    });
  }
  const annotated = await kubectl.merge(path, { metadata: { annotations: { [revisionKey]: String(revision) } } });

  const { replicas } = annotated.spec;
  const now = new Date().toISOString().replace(/\.\d+/, '');
  const condition = (type, reason) => ({
    type,
    status: 'True',
    reason,
    message: `Deployment ${name}: ${reason}`,
    lastUpdateTime: now,
    lastTransitionTime: now,
  });
  await kubectl.merge(`${path}/status`, {
    status: {
      observedGeneration: annotated.metadata.generation,
      replicas,
      updatedReplicas: replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
      conditions: [
        condition('Available', 'MinimumReplicasAvailable'),
        condition('Progressing', 'NewReplicaSetAvailable'),
      ],
    },
  });
}

/** The stateful set controller. */
export async function settleStatefulSet(kubectl, namespace, name) {
  const path = apps(namespace, 'statefulsets', name);
  const { metadata, spec } = await kubectl.request('GET', path);
  const revision = `${name}-${templateHash(spec.template)}`;
  await kubectl.merge(`${path}/status`, {
    status: {
      observedGeneration: metadata.generation,
      replicas: spec.replicas,
      readyReplicas: spec.replicas,
      currentReplicas: spec.replicas,
      updatedReplicas: spec.replicas,
      availableReplicas: spec.replicas,
      currentRevision: revision,
      updateRevision: revision,
    },
  });
}

/** The service account controller: every namespace has a default account. */
export async function settleNamespace(kubectl, name) {
  await kubectl.request('POST', `/api/v1/namespaces/${name}/serviceaccounts`, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default' },
  });
}

/** The quota controller, for a namespace without any object that the quota counts. */
export async function settleQuota(kubectl, namespace, name) {
  const path = `/api/v1/namespaces/${namespace}/resourcequotas/${name}`;
  const { hard } = (await kubectl.request('GET', path)).spec;
  const used = Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']));
  await kubectl.merge(`${path}/status`, { status: { hard, used } });
}

/** The disruption controller: sets the counts of pods and of allowed disruptions. */
export async function settleBudget(kubectl, namespace, name, counts) {
  const path = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets/${name}`;
  const { generation } = (await kubectl.request('GET', path)).metadata;
  await kubectl.merge(`${path}/status`, { status: { observedGeneration: generation, ...counts } });
}

/** The kubelet: the containers are running and ready. */
export async function startPod(kubectl, namespace, name) {
  const conditions = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'];
  await kubectl.merge(`/api/v1/namespaces/${namespace}/pods/${name}/status`, {
    status: { phase: 'Running', conditions: conditions.map((type) => ({ type, status: 'True' })) },
  });
}

/** The kubelet: the containers have ended after the pod was deleted. */
export async function finishPod(kubectl, namespace, name) {
  await kubectl.request('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}`, { gracePeriodSeconds: 0 });
}

/** A controller that records an event about an object. */
export async function recordEvent(kubectl, namespace, { apiVersion, kind, metadata: { name, uid } }, reason, message) {
  const now = new Date().toISOString().replace(/\.\d+/, '');
  await kubectl.request('POST', `/api/v1/namespaces/${namespace}/events`, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { generateName: `${name}.` },
    involvedObject: { apiVersion, kind, name, namespace, uid },
    reason,
    message,
    type: 'Normal',
    count: 1,
    source: { component: 'controllers' },
    firstTimestamp: now,
    lastTimestamp: now,
  });
}

/** The kubelet reports that its node is ready; then the node lifecycle controller removes its taint. */
export async function settleNode(kubectl, name, status) {
  const path = `/api/v1/nodes/${name}`;
  await kubectl.merge(`${path}/status`, { status });
  const { taints } = (await kubectl.request('GET', path)).spec;
  await kubectl.merge(path, { spec: { taints: taints.filter(({ key }) => key !== 'node.kubernetes.io/not-ready') } });
}

/** The garbage collector: the dependents are processed, so it removes the deletion finalizers. */
export async function finishDeletion(kubectl, path) {
  await kubectl.merge(path, { metadata: { finalizers: null } });
}

/** The namespace controller: the namespace is empty, so it removes the finalizer. */
export async function finalizeNamespace(kubectl, name) {
  const path = `/api/v1/namespaces/${name}`;
  const namespace = await kubectl.request('GET', path);
  await kubectl.request('PUT', `${path}/finalize`, { ...namespace, spec: { ...namespace.spec, finalizers: [] } });
}

/** A short text that is equal for equal templates. */
function templateHash(template) {
  let hash = 5381;
  for (const character of JSON.stringify(template)) hash = (hash * 33 + character.charCodeAt(0)) >>> 0;
  return hash.toString(36);
}
