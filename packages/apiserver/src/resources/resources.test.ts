import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resources } from '@binnacle/api/table';
import { encodeJson, type JsonObject, memberPath, outlineJson, outlineOf, stringAt } from '@binnacle/apimachinery/json';
import { asJson, asObject, formatGroupResource, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { finish, WorkBudget } from '@binnacle/apimachinery/work';
import type { Strategy } from '../registry/index.js';
import { scaleSelectorOf, strategyOf, subresourceStrategyOf } from './index.js';
import { strategies } from './table.js';

/** Stored resources with generic rules, or with rules in another room. */
const generic: ReadonlySet<string> = new Set(['customresourcedefinitions.apiextensions.k8s.io']);
const context = { namespace: 'n', now: 0, userName: 'jane', warn: () => undefined };

function create(group: string, resource: string, fields: object): KubernetesObject {
  const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', uid: 'u' }, ...fields } as KubernetesObject;
  strategyOf(group, resource).prepareForCreate?.(object, context);
  return object;
}

function update(group: string, resource: string, old: KubernetesObject, fields: object): KubernetesObject {
  const object = structuredClone<KubernetesObject>({ ...old, ...fields });
  strategyOf(group, resource).prepareForUpdate?.(object, old, context);
  return object;
}

test('every stored stable resource has a strategy or is known to need none', () => {
  const stored = resources().filter((facts) => facts.stability === 'ga' && facts.etcdPrefix !== undefined);
  const missing = stored.map(formatGroupResource).filter((name) => !strategies.has(name) && !generic.has(name));
  assert.deepEqual(missing, []);
});

test('every strategy belongs to a resource', () => {
  const known = new Set(resources().map(formatGroupResource));
  assert.deepEqual(
    [...strategies.keys()].filter((name) => !known.has(name)),
    [],
  );
});

test('a delete returns the object for these kinds, and a Status for others', () => {
  const answered = [...strategies].filter(([, { returnsDeletedObject }]) => returnsDeletedObject === true);
  assert.deepEqual(answered.map(([name]) => name).sort(), [
    'csidrivers.storage.k8s.io',
    'csinodes.storage.k8s.io',
    'deviceclasses.resource.k8s.io',
    'namespaces',
    'persistentvolumeclaims',
    'persistentvolumes',
    'pods',
    'podtemplates',
    'resourceclaims.resource.k8s.io',
    'resourceclaimtemplates.resource.k8s.io',
    'resourcequotas',
    'resourceslices.resource.k8s.io',
    'serviceaccounts',
    'services',
    'storageclasses.storage.k8s.io',
    'volumeattachments.storage.k8s.io',
    'volumeattributesclasses.storage.k8s.io',
  ]);
});

test('updates of these kinds and of their subresources need a resourceVersion', () => {
  const conditional = resources().filter(({ group, resource }) => !allowsUnconditional(strategyOf(group, resource)));
  assert.deepEqual([...new Set(conditional.map(formatGroupResource))].sort(), [
    'apiservices.apiregistration.k8s.io',
    'clustertrustbundles.certificates.k8s.io',
    'csidrivers.storage.k8s.io',
    'csinodes.storage.k8s.io',
    'csistoragecapacities.storage.k8s.io',
    'customresourcedefinitions.apiextensions.k8s.io',
    'leases.coordination.k8s.io',
    'mutatingadmissionpolicies.admissionregistration.k8s.io',
    'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
    'mutatingwebhookconfigurations.admissionregistration.k8s.io',
    'podcertificaterequests.certificates.k8s.io',
    'poddisruptionbudgets.policy',
    'runtimeclasses.node.k8s.io',
    'storageversionmigrations.storagemigration.k8s.io',
    'validatingadmissionpolicies.admissionregistration.k8s.io',
    'validatingadmissionpolicybindings.admissionregistration.k8s.io',
    'validatingwebhookconfigurations.admissionregistration.k8s.io',
    'volumeattachments.storage.k8s.io',
  ]);
  for (const { group, resource, subresources = [] } of resources()) {
    for (const { name } of subresources) {
      const rules = subresourceStrategyOf(group, resource, name);
      const expected = allowsUnconditional(strategyOf(group, resource));
      if (rules !== undefined) assert.equal(allowsUnconditional(rules), expected, `${resource}/${name}`);
    }
  }
});

test('objects of these kinds are kept when no one can read them', () => {
  const kept = [...strategies].filter(([, { keepsUnreadable }]) => keepsUnreadable === true);
  assert.deepEqual(kept.map(([name]) => name).sort(), [
    'clusterrolebindings.rbac.authorization.k8s.io',
    'clusterroles.rbac.authorization.k8s.io',
    'namespaces',
    'rolebindings.rbac.authorization.k8s.io',
    'roles.rbac.authorization.k8s.io',
  ]);
});

function allowsUnconditional({ allowUnconditionalUpdate }: Strategy): boolean {
  return allowUnconditionalUpdate !== false;
}

test('only the status subresource writes a status', () => {
  const made = create('apps', 'deployments', { spec: { replicas: 1 }, status: { replicas: 9 } });
  assert.equal(made['status'], undefined);
  const stored = { ...made, status: { replicas: 1 } } as KubernetesObject;
  assert.deepEqual(update('apps', 'deployments', stored, { status: { replicas: 9 } })['status'], { replicas: 1 });
  const object = { ...structuredClone(stored), spec: { replicas: 7 }, status: { replicas: 5 } } as KubernetesObject;
  object.metadata.labels = { a: 'b' };
  subresourceStrategyOf('apps', 'deployments', 'status')?.prepareForUpdate?.(object, stored, context);
  assert.deepEqual(object['spec'], { replicas: 1 });
  assert.deepEqual(object['status'], { replicas: 5 });
  assert.equal(object.metadata.labels, undefined);
});

test('a status write of these kinds changes no metadata but the managed fields', () => {
  for (const resource of ['flowschemas', 'prioritylevelconfigurations']) {
    const old = create('flowcontrol.apiserver.k8s.io', resource, { spec: {} });
    const object = structuredClone(old);
    Object.assign(object.metadata, { uid: 'foreign', labels: { a: 'b' }, managedFields: [] });
    subresourceStrategyOf('flowcontrol.apiserver.k8s.io', resource, 'status')?.prepareForUpdate?.(object, old, context);
    assert.deepEqual(object.metadata, { ...old.metadata, managedFields: [] }, resource);
  }
});

test('the generation counts changes of the desired state', () => {
  const made = create('apps', 'deployments', { spec: { replicas: 1 } });
  assert.equal(made.metadata.generation, 1);
  assert.equal(update('apps', 'deployments', made, {}).metadata.generation, 1);
  assert.equal(update('apps', 'deployments', made, { spec: { replicas: 2 } }).metadata.generation, 2);
  const typed = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { template: { spec: { containers: [] } } } };
  const withSpec = (spec: object) =>
    update('apps', 'deployments', create('apps', 'deployments', typed), { spec: { template: { spec } } });
  assert.equal(withSpec({ containers: [], nodeSelector: {} }).metadata.generation, 1);
  assert.equal(withSpec({ containers: [], affinity: {} }).metadata.generation, 2, 'a pointer differs from none');
  const annotated = { ...made.metadata, annotations: { a: 'b' } };
  assert.equal(update('apps', 'deployments', made, { metadata: annotated }).metadata.generation, 2);
  assert.equal(update('apps', 'replicasets', made, { metadata: annotated }).metadata.generation, 1);
  const policy = create('networking.k8s.io', 'networkpolicies', { spec: {} });
  const emptied = update('networking.k8s.io', 'networkpolicies', policy, { spec: { egress: [] } });
  assert.equal(emptied.metadata.generation, 2, 'an empty list differs from none');
  assert.equal(create('', 'configmaps', { data: {} }).metadata.generation, undefined);
});

test('a claim keeps a dataSource that is a claim or a snapshot, and one equal to dataSourceRef', () => {
  const sourcesOf = (spec: object) => {
    const { dataSource, dataSourceRef } = create('', 'persistentvolumeclaims', { spec }).spec as Record<
      string,
      unknown
    >;
    return [dataSource, dataSourceRef];
  };
  const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'a' };
  const pod = { kind: 'Pod', name: 'a' };
  for (const source of [snapshot, { kind: 'PersistentVolumeClaim', name: 'a' }]) {
    assert.deepEqual(sourcesOf({ dataSource: source }), [source, source]);
  }
  assert.deepEqual(sourcesOf({ dataSource: pod }), [undefined, undefined]);
  assert.deepEqual(sourcesOf({ dataSource: { apiGroup: 'example.com', name: 'x' } }), [undefined, undefined]);
  assert.deepEqual(sourcesOf({ dataSource: { ...snapshot, apiGroup: 'x' } }), [undefined, undefined]);
  assert.deepEqual(sourcesOf({ dataSource: pod, dataSourceRef: pod }), [pod, pod]);
});

test('a status write keeps the count of templates of a daemon set', () => {
  const count = 'deprecated.daemonset.template.generation';
  const old = create('apps', 'daemonsets', { spec: { template: {} } });
  const written = (annotations: Record<string, string>) => {
    const object = structuredClone<KubernetesObject>({ ...old, metadata: { ...old.metadata, annotations } });
    subresourceStrategyOf('apps', 'daemonsets', 'status')?.prepareForUpdate?.(object, old, context);
    return object.metadata.annotations;
  };
  assert.deepEqual(written({}), { [count]: '1' });
  assert.deepEqual(written({ [count]: '9', a: 'b' }), { [count]: '1', a: 'b' });
});

test('a pod with scheduling gates says when they began to block it', () => {
  const pod = create('', 'pods', { spec: { containers: [], schedulingGates: [{ name: 'a' }] } });
  const { conditions } = pod['status'] as { readonly conditions?: readonly { readonly lastTransitionTime?: string }[] };
  assert.deepEqual(
    conditions?.map(({ lastTransitionTime }) => lastTransitionTime),
    ['1970-01-01T00:00:00Z'],
  );
});

test('pods: phase, QoS class, grace period, and selectable fields', () => {
  const resourcesOf = (requests: object, limits: object) => ({
    containers: [{ name: 'c', resources: { requests, limits } }],
  });
  const classes: [object, string][] = [
    [{ containers: [{ name: 'c' }] }, 'BestEffort'],
    [resourcesOf({ cpu: '1' }, {}), 'Burstable'],
    [resourcesOf({ cpu: '1', memory: '1Gi' }, { cpu: '1000m', memory: '1Gi' }), 'Guaranteed'],
  ];
  for (const [spec, qosClass] of classes) {
    const pod = create('', 'pods', { spec, status: { phase: 'Running' } });
    assert.deepEqual(pod['status'], { phase: 'Pending', qosClass });
    assert.equal(pod.metadata.generation, 1);
  }
  const strategy = strategyOf('', 'pods');
  const on = (nodeName: string, phase: string): KubernetesObject =>
    asObject({ metadata: {}, spec: { nodeName, terminationGracePeriodSeconds: 30 }, status: { phase } });
  assert.equal(strategy.gracefulDeletionSeconds?.(on('', 'Pending'), undefined), 0);
  assert.equal(strategy.gracefulDeletionSeconds?.(on('n', 'Succeeded'), 5), 0);
  assert.equal(strategy.gracefulDeletionSeconds?.(on('n', 'Running'), undefined), 30);
  assert.equal(strategy.gracefulDeletionSeconds?.(on('n', 'Running'), 5), 5);
  assert.equal(strategy.gracefulDeletionSeconds?.(on('n', 'Running'), -1), 1);
  assert.equal(strategy.selectableFields?.(on('n', 'Running'))['spec.nodeName'], 'n');
  assert.ok(strategy.selectableFieldNames?.includes('status.nominatedNodeName'));
});

test('every field label maps to an existing field', () => {
  const labelled = [...strategies.values()].filter(({ fieldLabels }) => fieldLabels !== undefined);
  assert.ok(labelled.length > 0);
  for (const { fieldLabels, selectableFieldNames } of labelled) {
    for (const field of fieldLabels?.values() ?? []) assert.ok(selectableFieldNames?.includes(field), field);
  }
});

test('namespaces delay their deletion, and only finalize writes their finalizers', () => {
  const namespace = create('', 'namespaces', { status: { phase: 'Odd' } });
  assert.deepEqual(namespace['spec'], { finalizers: ['kubernetes'] });
  assert.deepEqual(namespace['status'], { phase: 'Active' });
  const strategy = strategyOf('', 'namespaces');
  assert.equal(strategy.hasOwnFinalizers?.(namespace), true);
  assert.deepEqual(update('', 'namespaces', namespace, { spec: { finalizers: [] } })['spec'], {
    finalizers: ['kubernetes'],
  });
  const object = { ...structuredClone(namespace), spec: { finalizers: [] }, status: {} } as KubernetesObject;
  subresourceStrategyOf('', 'namespaces', 'finalize')?.prepareForUpdate?.(object, namespace, context);
  assert.deepEqual([object['spec'], object['status']], [{ finalizers: [] }, { phase: 'Active' }]);
  strategy.canonicalize?.(namespace);
  assert.deepEqual(namespace.metadata.labels, { 'kubernetes.io/metadata.name': 'x' });
});

test('a job selects its pods by its uid', () => {
  const job = create('batch', 'jobs', { spec: { template: { spec: { containers: [] } } } });
  const labels = {
    'controller-uid': 'u',
    'job-name': 'x',
    'batch.kubernetes.io/controller-uid': 'u',
    'batch.kubernetes.io/job-name': 'x',
  };
  assert.deepEqual(job.metadata.labels, labels);
  assert.deepEqual(job['spec'], {
    template: { metadata: { labels }, spec: { containers: [] } },
    selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } },
  });
  assert.equal(strategyOf('batch', 'jobs').defaultDeletionPropagation, 'Orphan');
  assert.match(strategyOf('batch', 'jobs').unnamedPropagationWarning ?? '', /^child pods are preserved by default/);
});

test('a volume keeps the time of its last phase until the phase changes', () => {
  const strategy = subresourceStrategyOf('', 'persistentvolumes', 'status');
  const before = '1960-01-01T00:00:00Z';
  const after = (status: object): unknown => {
    const old = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: {},
      status: { phase: 'Bound', lastPhaseTransitionTime: before },
    };
    const volume = { ...old, status } as KubernetesObject;
    strategy?.prepareForUpdate?.(volume, old, context);
    return (volume['status'] as { lastPhaseTransitionTime?: string }).lastPhaseTransitionTime;
  };
  const now = '1970-01-01T00:00:00Z';
  const given = '1980-01-01T00:00:00Z';
  assert.equal(after({ phase: 'Bound' }), before);
  assert.equal(after({ phase: 'Bound', lastPhaseTransitionTime: given }), given);
  assert.equal(after({ phase: 'Released' }), now);
  assert.equal(after({ phase: 'Released', lastPhaseTransitionTime: before }), now);
  assert.equal(after({ phase: 'Released', lastPhaseTransitionTime: given }), given);
});

test('updates check the metadata that each kind checks', () => {
  const problems = (group: string, resource: string, metadata: JsonObject, subresource = ''): string[] => {
    const strategy =
      subresource === '' ? strategyOf(group, resource) : subresourceStrategyOf(group, resource, subresource);
    const old = asObject({ metadata: { name: 'x', namespace: 'n' } });
    const object = asObject({ metadata: { name: 'x', namespace: 'n', ...metadata } });
    const found = strategy?.validateUpdate?.(object, old, new WorkBudget()) ?? [];
    const errors = 'next' in found ? finish(found) : found;
    return errors.map(({ field }) => field).filter((field) => field.startsWith('metadata.'));
  };
  const bare = { finalizers: ['bare'] };
  const generated = { generateName: 'A_b' };
  assert.deepEqual(problems('', 'limitranges', bare), ['metadata.finalizers[0]']);
  assert.deepEqual(problems('', 'limitranges', generated), ['metadata.generateName']);
  assert.deepEqual(problems('', 'podtemplates', bare), ['metadata.finalizers[0]']);
  assert.deepEqual(problems('', 'services', bare), ['metadata.finalizers[0]']);
  assert.deepEqual(problems('', 'services', generated), []);
  assert.deepEqual(problems('events.k8s.io', 'events', generated), []);
  assert.deepEqual(problems('batch', 'cronjobs', bare, 'status'), []);
});

test('names, and kinds that a PUT can create', () => {
  const problems = (group: string, resource: string, name: string): number =>
    strategyOf(group, resource).validateName?.(name, false).length ?? -1;
  assert.equal(problems('', 'services', '1x'), 0);
  assert.equal(problems('', 'namespaces', 'a.b'), 1);
  assert.equal(problems('rbac.authorization.k8s.io', 'roles', 'system:Any_Thing'), 0);
  assert.equal(problems('', 'configmaps', 'A_b'), 1);
  assert.equal(problems('apps', 'statefulsets', 'a.b'), 1);
  for (const [group, resource] of [
    ['', 'replicationcontrollers'],
    ['resource.k8s.io', 'deviceclasses'],
  ] as const) {
    assert.equal(problems(group, resource, 'A_b'), 1);
    assert.deepEqual(strategyOf(group, resource).validateName?.('A_b', true), []);
  }
  assert.equal(create('', 'limitranges', { metadata: { uid: 'u' } }).metadata.name, 'u');
  assert.equal(strategyOf('coordination.k8s.io', 'leases').allowCreateOnUpdate, true);
  assert.equal(strategyOf('coordination.k8s.io', 'leases').allowUnconditionalUpdate, false);
  assert.equal(strategyOf('', 'configmaps').allowCreateOnUpdate, undefined);
});

test('the selector of a scale', () => {
  const object = asObject({ kind: 'Deployment', metadata: {}, spec: { selector: { matchLabels: { a: 'b' } } } });
  assert.equal(scaleSelectorOf(object), 'a=b');
});

test('an account keeps only the names of its secrets, and gets a deprecation warning for enforcing them', () => {
  const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'false' };
  const made = create('', 'serviceaccounts', {
    metadata: { name: 'x', annotations },
    secrets: [{ name: 's', namespace: 'other', uid: 'u' }],
  });
  assert.deepEqual(made['secrets'], [{ name: 's' }]);
  const strategy = strategyOf('', 'serviceaccounts');
  assert.deepEqual(strategy.warnings?.(made, undefined), [
    'metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets',
  ]);
  assert.deepEqual(strategy.warnings?.(made, made), []);
});

test('maxUnavailable of a stateful set is dropped, unless it was stored while the gate was on', () => {
  const rollingUpdate = { partition: 1, maxUnavailable: 2 };
  const spec = { updateStrategy: { type: 'RollingUpdate', rollingUpdate } };
  const made = create('apps', 'statefulsets', { spec: structuredClone(spec) });
  assert.deepEqual(made['spec'], { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } });
  const changed = update('apps', 'statefulsets', made, { spec: structuredClone(spec) });
  assert.deepEqual(changed['spec'], made['spec']);
  assert.equal(changed.metadata.generation, 1);
  const stored = { ...structuredClone(made), spec } as KubernetesObject;
  assert.deepEqual(update('apps', 'statefulsets', stored, {})['spec'], spec);
});

const GATED_POD_SPEC = {
  schedulingGroup: { podGroupName: 'g' },
  containers: [{ name: 'c', lifecycle: { stopSignal: 'SIGTERM' } }],
  volumes: [{ name: 'v', projected: { sources: [{ clusterTrustBundle: { path: 'p' } }, { podCertificate: {} }] } }],
};
const SERVED_POD_SPEC = {
  containers: [{ name: 'c' }],
  volumes: [{ name: 'v', projected: { sources: [{}, {}] } }],
};
const inTemplate = (spec: object) => ({ spec: { template: { spec } } });

for (const [group, resource, fieldsOf] of [
  ['', 'pods', (spec: object) => ({ spec })],
  ['', 'podtemplates', (spec: object) => ({ template: { spec } })],
  ['', 'replicationcontrollers', inTemplate],
  ['apps', 'daemonsets', inTemplate],
  ['apps', 'deployments', inTemplate],
  ['apps', 'replicasets', inTemplate],
  ['apps', 'statefulsets', inTemplate],
  ['batch', 'cronjobs', (spec: object) => ({ spec: { jobTemplate: inTemplate(spec) } })],
] as const)
  test(`${resource} lose the fields of pods whose gates are off, unless they are stored`, () => {
    const gated = () => fieldsOf(structuredClone(GATED_POD_SPEC));
    const [part = ''] = Object.keys(gated());
    const made = create(group, resource, gated());
    const expected = fieldsOf(SERVED_POD_SPEC) as Record<string, unknown>;
    assert.deepEqual(made[part], expected[part]);
    assert.deepEqual(update(group, resource, made, gated())[part], expected[part]);
    const stored: KubernetesObject = { ...structuredClone(made), ...gated() };
    assert.deepEqual(update(group, resource, stored, {})[part], stored[part]);
  });

test('a job loses the fields of pods whose gates are off', () => {
  const job = create('batch', 'jobs', inTemplate(structuredClone(GATED_POD_SPEC)));
  assert.deepEqual((job['spec'] as { template: { spec: unknown } }).template.spec, SERVED_POD_SPEC);
});

test('leases, nodes, drivers and slices lose fields whose gates are off', () => {
  const lease = { spec: { holderIdentity: 'a', strategy: 'OldestEmulationVersion', preferredHolder: 'b' } };
  const made = create('coordination.k8s.io', 'leases', lease);
  assert.deepEqual(made['spec'], { holderIdentity: 'a' });
  const withStrategy = { ...made, spec: { strategy: 'OldestEmulationVersion' } };
  const changed = update('coordination.k8s.io', 'leases', withStrategy, {
    spec: { strategy: 'OldestEmulationVersion', preferredHolder: 'b' },
  });
  assert.deepEqual(changed['spec'], { strategy: 'OldestEmulationVersion' });
  const node = create('', 'nodes', { spec: { configSource: {} }, status: { config: {}, phase: 'Running' } });
  assert.deepEqual([node['spec'], node['status']], [{}, { phase: 'Running' }]);
  const devices = [{ attributes: { a: { ints: [1] } }, nodeAllocatableResourceMappings: {} }];
  const slice = create('resource.k8s.io', 'resourceslices', { spec: { devices } });
  assert.deepEqual(slice['spec'], { devices: [{ attributes: { a: {} } }] });
  const driver = create('storage.k8s.io', 'csidrivers', { spec: { preventPodSchedulingIfMissing: true } });
  assert.deepEqual(driver['spec'], {});
});

test('status writes lose fields whose gates are off', () => {
  const old = (resource: string) => create('', resource, { status: {} });
  const statusAfter = (resource: string, status: object) => {
    const object = { ...structuredClone(old(resource)), status } as KubernetesObject;
    subresourceStrategyOf('', resource, 'status')?.prepareForUpdate?.(object, old(resource), context);
    return object['status'];
  };
  assert.deepEqual(statusAfter('nodes', { config: {}, phase: 'Running' }), { phase: 'Running' });
  const containerStatuses = [{ name: 'c', volumeMounts: [{ name: 'v', volumeStatus: {} }] }];
  const status = statusAfter('pods', { containerStatuses, nodeAllocatableResourceClaimStatuses: [] });
  const expected = { containerStatuses: [{ name: 'c', volumeMounts: [{ name: 'v' }] }], qosClass: 'BestEffort' };
  assert.deepEqual(status, expected);
});

test('a claim loses a source in another namespace, unless it has one', () => {
  const foreign = { apiGroup: 'example.com', kind: 'Snapshot', name: 's', namespace: 'other' };
  const made = create('', 'persistentvolumeclaims', { spec: { dataSourceRef: { ...foreign } } });
  assert.deepEqual(made['spec'], {});
  const local = { kind: 'PersistentVolumeClaim', name: 'c' };
  const stored = { ...made, spec: { dataSource: local, dataSourceRef: local } };
  const changed = update('', 'persistentvolumeclaims', stored, { spec: { dataSourceRef: { ...foreign } } });
  assert.deepEqual(changed['spec'], { dataSourceRef: foreign });
});

test('a condition without an observed generation keeps its old one', () => {
  const condition = (type: string, observedGeneration?: number) => ({
    type,
    status: 'True',
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  });
  const pod = (...conditions: object[]) =>
    ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, status: { conditions } }) as KubernetesObject;
  const old = pod(condition('A', 1), condition('B', 2), condition('A', 3));
  const object = pod(condition('A'), condition('A'), condition('B', 4), condition('C'));
  subresourceStrategyOf('', 'pods', 'status')?.prepareForUpdate?.(object, old, context);
  assert.deepEqual(object['status'], {
    conditions: [condition('A', 1), condition('A', 3), condition('B', 4), condition('C')],
  });
});

test('selectable paths cover all selectable fields', () => {
  const samples: [string, string, object][] = [
    [
      '',
      'pods',
      {
        spec: { nodeName: 'n', restartPolicy: 'Never', schedulerName: 's', serviceAccountName: 'a', hostNetwork: true },
        status: { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }], nominatedNodeName: 'm' },
      },
    ],
    ...['', 'events.k8s.io'].map((group): [string, string, object] => [
      group,
      'events',
      {
        involvedObject: {
          kind: 'Pod',
          namespace: 'd',
          name: 'p',
          uid: 'u',
          apiVersion: 'v1',
          resourceVersion: '3',
          fieldPath: 'spec',
        },
        reason: 'Killing',
        source: { component: 'kubelet' },
        reportingComponent: 'kubelet',
        type: 'Normal',
      },
    ]),
  ];
  const sampled = new Set(samples.map(([group, resource]) => strategyOf(group, resource)));
  for (const strategy of strategies.values()) {
    assert.ok(
      strategy.selectablePaths === undefined || sampled.has(strategy),
      `no sample for ${strategy.selectablePaths?.join()}`,
    );
  }
  for (const [group, resource, content] of samples) {
    const strategy = strategyOf(group, resource);
    const whole = { apiVersion: 'v1', kind: 'K', metadata: {}, other: { a: 'b' }, ...content } as KubernetesObject;
    const seen = outlineJson(encodeJson(asJson(whole)), outlineOf(['metadata', ...(strategy.selectablePaths ?? [])]));
    const fields = strategy.selectableFields?.(whole) ?? {};
    assert.deepEqual(strategy.selectableFields?.(JSON.parse(seen) as KubernetesObject), fields);
    for (const path of strategy.indexedFields ?? []) {
      assert.equal(stringAt(encodeJson(asJson(whole)), memberPath(path)) ?? '', fields[path]);
      const lacking = strategy.selectableFields?.({ apiVersion: 'v1', kind: 'K', metadata: {} });
      assert.equal(lacking?.[path], '', 'an indexed field is empty if it is absent');
    }
    // Upstream never gives status.podIPs a value.
    assert.ok(
      Object.entries(fields).every(([name, value]) => name === 'status.podIPs' || !['', 'false'].includes(value)),
      'the sample has every field',
    );
  }
});
