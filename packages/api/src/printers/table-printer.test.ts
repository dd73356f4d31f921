import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import { resources } from '../table/index.js';
import { printRow, tableColumns, tablePrinter } from './table-printer.js';

const now = Date.UTC(2026, 0, 1, 1, 0, 0);
const creationTimestamp = '2026-01-01T00:00:00Z';

function row(
  apiVersion: string,
  kind: string,
  { metadata, ...object }: { metadata?: JsonObject; [field: string]: JsonValue | undefined },
) {
  const groupVersion = parseGroupVersion(apiVersion);
  assert.ok(groupVersion);
  return printRow(
    { ...groupVersion, kind },
    { metadata: { name: 'x', creationTimestamp, ...metadata }, ...object },
    { now },
  );
}

const template: JsonObject = {
  metadata: { labels: { app: 'web' } },
  spec: {
    containers: [
      { name: 'a', image: 'i:1' },
      { name: 'b', image: 'i:2' },
    ],
    nodeSelector: { disk: 'ssd' },
  },
};
const selector: JsonObject = {
  matchLabels: { app: 'web' },
  matchExpressions: [{ key: 'tier', operator: 'In', values: ['b', 'a'] }],
};
const selectorText = 'app=web,tier in (a,b)';

const rows: readonly (readonly [apiVersion: string, kind: string, object: JsonObject, expected: JsonValue[]])[] = [
  [
    'apps/v1',
    'Deployment',
    {
      spec: { replicas: 3, template, selector },
      status: { readyReplicas: 2, updatedReplicas: 1, availableReplicas: 2 },
    },
    ['x', '2/3', 1, 2, '60m', 'a,b', 'i:1,i:2', selectorText],
  ],
  [
    'apps/v1',
    'Deployment',
    { spec: { selector: { matchExpressions: [{ key: 'a', operator: '?' }] } } },
    ['x', '0/0', 0, 0, '60m', '', '', '<invalid>'],
  ],
  [
    'apps/v1',
    'ReplicaSet',
    { spec: { replicas: 3, template, selector }, status: { replicas: 2, readyReplicas: 1 } },
    ['x', 3, 2, 1, '60m', 'a,b', 'i:1,i:2', selectorText],
  ],
  [
    'v1',
    'ReplicationController',
    { spec: { replicas: 1, template, selector: { b: '2', a: '1' } } },
    ['x', 1, 0, 0, '60m', 'a,b', 'i:1,i:2', 'a=1,b=2'],
  ],
  [
    'apps/v1',
    'StatefulSet',
    { spec: { replicas: 3, template }, status: { readyReplicas: 1 } },
    ['x', '1/3', '60m', 'a,b', 'i:1,i:2'],
  ],
  [
    'apps/v1',
    'DaemonSet',
    {
      spec: { template, selector },
      status: {
        desiredNumberScheduled: 5,
        currentNumberScheduled: 4,
        numberReady: 3,
        updatedNumberScheduled: 2,
        numberAvailable: 1,
      },
    },
    ['x', 5, 4, 3, 2, 1, 'disk=ssd', '60m', 'a,b', 'i:1,i:2', selectorText],
  ],
  [
    'apps/v1',
    'ControllerRevision',
    {
      metadata: { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', controller: true }] },
      revision: 4,
    },
    ['x', 'daemonset.apps/d', 4, '60m'],
  ],
  [
    'batch/v1',
    'Job',
    { spec: { completions: 3, template, selector }, status: { succeeded: 1, startTime: '2026-01-01T00:30:00Z' } },
    ['x', 'Running', '1/3', '30m', '60m', 'a,b', 'i:1,i:2', selectorText],
  ],
  [
    'batch/v1',
    'Job',
    {
      spec: { parallelism: 2 },
      status: {
        startTime: creationTimestamp,
        completionTime: '2026-01-01T00:00:07Z',
        conditions: [{ type: 'Complete', status: 'True' }],
      },
    },
    ['x', 'Complete', '0/1 of 2', '7s', '60m', '', '', '<none>'],
  ],
  [
    'batch/v1',
    'Job',
    { status: { conditions: [{ type: 'Suspended', status: 'True' }] } },
    ['x', 'Suspended', '0/1', '', '60m', '', '', '<none>'],
  ],
  [
    'batch/v1',
    'CronJob',
    {
      spec: { schedule: '@daily', suspend: false, jobTemplate: { spec: { template } } },
      status: { active: [{}, {}], lastScheduleTime: '2026-01-01T00:59:00Z' },
    },
    ['x', '@daily', '<none>', 'False', 2, '60s', '60m', 'a,b', 'i:1,i:2', '<none>'],
  ],
  [
    'v1',
    'Service',
    {
      spec: {
        type: 'NodePort',
        clusterIPs: ['10.0.0.1'],
        ports: [
          { port: 80, nodePort: 30080, protocol: 'TCP' },
          { port: 53, protocol: 'UDP' },
        ],
        selector: { a: 'b' },
      },
    },
    ['x', 'NodePort', '10.0.0.1', '<none>', '80:30080/TCP,53/UDP', '60m', 'a=b'],
  ],
  [
    'v1',
    'Service',
    {
      spec: { type: 'LoadBalancer', externalIPs: ['9.9.9.9'] },
      status: { loadBalancer: { ingress: [{ ip: '2.2.2.2' }, { hostname: 'lb.example.com' }, { ip: '1.1.1.1' }] } },
    },
    ['x', 'LoadBalancer', '<none>', '1.1.1.1,2.2.2.2,lb.example.com,9.9.9.9', '<none>', '60m', '<none>'],
  ],
  [
    'v1',
    'Service',
    { spec: { type: 'LoadBalancer' } },
    ['x', 'LoadBalancer', '<none>', '<pending>', '<none>', '60m', '<none>'],
  ],
  [
    'v1',
    'Service',
    { spec: { type: 'ExternalName', externalName: 'example.com' } },
    ['x', 'ExternalName', '<none>', 'example.com', '<none>', '60m', '<none>'],
  ],
  [
    'v1',
    'Endpoints',
    { subsets: [{ addresses: [{ ip: '1.1.1.1' }, { ip: '::1' }], ports: [{ port: 80 }, { port: 81 }] }] },
    ['x', '1.1.1.1:80,[::1]:80,1.1.1.1:81 + 1 more...', '60m'],
  ],
  ['v1', 'Endpoints', {}, ['x', '<none>', '60m']],
  [
    'discovery.k8s.io/v1',
    'EndpointSlice',
    {
      addressType: 'IPv4',
      ports: [{ port: 80 }, { name: 'n' }, {}],
      endpoints: [{ addresses: ['1.1.1.1', '1.1.1.2'] }, { addresses: ['1.1.1.3', '1.1.1.4', '1.1.1.5'] }],
    },
    ['x', 'IPv4', '80,n,*', '1.1.1.1,1.1.1.2,1.1.1.3 + 2 more...', '60m'],
  ],
  ['discovery.k8s.io/v1', 'EndpointSlice', {}, ['x', '', '<unset>', '<unset>', '60m']],
  [
    'networking.k8s.io/v1',
    'Ingress',
    {
      spec: {
        ingressClassName: 'c',
        tls: [{}],
        rules: [{ host: 'a' }, { host: 'b' }, {}, { host: 'c' }, { host: 'd' }],
      },
      status: { loadBalancer: { ingress: [{ ip: '1.1.1.1' }] } },
    },
    ['x', 'c', 'a,b,c + 2 more...', '1.1.1.1', '80, 443', '60m'],
  ],
  ['networking.k8s.io/v1', 'Ingress', {}, ['x', '<none>', '*', '', '80', '60m']],
  [
    'networking.k8s.io/v1',
    'IngressClass',
    { spec: { controller: 'example.com/c', parameters: { apiGroup: 'example.com', kind: 'P', name: 'p' } } },
    ['x', 'example.com/c', 'P.example.com/p', '60m'],
  ],
  ['networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {} } }, ['x', '<none>', '60m']],
  [
    'networking.k8s.io/v1',
    'IPAddress',
    { spec: { parentRef: { resource: 'services', namespace: 'n', name: 's' } } },
    ['x', 'services/n/s', '60m'],
  ],
  [
    'v1',
    'Node',
    {
      metadata: {
        labels: {
          'node-role.kubernetes.io/worker': '',
          'node-role.kubernetes.io/control-plane': '',
          'kubernetes.io/role': 'edge',
        },
      },
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [{ type: 'InternalIP', address: '10.1.1.1' }],
        nodeInfo: { kubeletVersion: 'v1.36.2', osImage: 'Linux' },
      },
    },
    [
      'x',
      'Ready,SchedulingDisabled',
      'control-plane,edge,worker',
      '60m',
      'v1.36.2',
      '10.1.1.1',
      '<none>',
      'Linux',
      '<unknown>',
      '<unknown>',
    ],
  ],
  ['v1', 'Node', {}, ['x', 'Unknown', '<none>', '60m', '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>']],
  ['coordination.k8s.io/v1', 'Lease', { spec: { holderIdentity: 'me' } }, ['x', 'me', '60m']],
  [
    'v1',
    'Event',
    {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec' },
      type: 'Normal',
      reason: 'R',
      message: ' text\n',
      source: { component: 'c', host: 'h' },
      firstTimestamp: creationTimestamp,
      lastTimestamp: '2026-01-01T00:58:30Z',
      count: 7,
    },
    ['90s', 'Normal', 'R', 'pod/p', 'spec', 'c, h', 'text', '60m', 7, 'x'],
  ],
  [
    'v1',
    'Event',
    {
      involvedObject: { kind: 'Pod' },
      eventTime: '2026-01-01T00:59:00.123456Z',
      reportingComponent: 'r',
      series: { count: 3, lastObservedTime: '2026-01-01T00:59:50.000000Z' },
    },
    ['10s', '', '', 'pod', '', 'r', '', '59s', 3, 'x'],
  ],
  [
    'events.k8s.io/v1',
    'Event',
    {
      regarding: { kind: 'Node', name: 'n' },
      note: 'text',
      eventTime: creationTimestamp,
      reportingController: 'r',
      reportingInstance: 'i',
    },
    ['60m', '', '', 'node/n', '', 'r, i', 'text', '60m', 1, 'x'],
  ],
  ['v1', 'Namespace', { status: { phase: 'Active' } }, ['x', 'Active', '60m']],
  ['v1', 'ConfigMap', { data: { a: '1' }, binaryData: { b: '' } }, ['x', 2, '60m']],
  ['v1', 'Secret', { type: 'Opaque' }, ['x', 'Opaque', 0, '60m']],
  ['v1', 'ServiceAccount', {}, ['x', '60m']],
  [
    'v1',
    'ResourceQuota',
    { status: { hard: { pods: '4', 'limits.cpu': '2', cpu: '1' }, used: { pods: '3' } } },
    ['x', 'cpu: 0/1, pods: 3/4', 'limits.cpu: 0/2', '60m'],
  ],
  [
    'v1',
    'PersistentVolume',
    {
      metadata: { deletionTimestamp: creationTimestamp },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace: 'n', name: 'c' },
        storageClassName: 's',
        volumeMode: 'Block',
      },
    },
    ['x', '1Gi', 'RWO,RWX', 'Retain', 'Terminating', 'n/c', 's', '<unset>', '', '60m', 'Block'],
  ],
  [
    'v1',
    'PersistentVolumeClaim',
    {
      spec: { volumeName: 'v' },
      status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadOnlyMany'] },
    },
    ['x', 'Bound', 'v', '1Gi', 'ROX', '', '<unset>', '60m', '<unset>'],
  ],
  [
    'v1',
    'PersistentVolumeClaim',
    { spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
    ['x', 'Pending', '', '', '', '', '<unset>', '60m', 'Filesystem'],
  ],
  [
    'storage.k8s.io/v1',
    'StorageClass',
    {
      metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'p',
      allowVolumeExpansion: true,
    },
    ['x (default)', 'p', 'Delete', 'Immediate', true, '60m'],
  ],
  [
    'storage.k8s.io/v1',
    'CSIDriver',
    { spec: { tokenRequests: [{ audience: 'a' }, { audience: 'b' }] } },
    ['x', true, false, false, 'a,b', false, '<none>', '60m'],
  ],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd' },
        minReplicas: 1,
        maxReplicas: 3,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
          { type: 'Pods', pods: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '1k' } } },
          { type: 'External' },
        ],
      },
      status: {
        currentReplicas: 2,
        currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 12 } } }],
      },
    },
    ['x', 'Deployment/d', 'cpu: 12%/80%, <unknown>/1k + 1 more...', '1', 3, 2, '60m'],
  ],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    {
      spec: {
        metrics: [
          { type: 'External', external: { target: { averageValue: '5' } } },
          { type: 'Object', object: { target: { value: '9' } } },
        ],
      },
      status: {
        currentMetrics: [
          { type: 'External', external: { current: { averageValue: '4' } } },
          { type: 'Object', object: { current: { value: '8' } } },
        ],
      },
    },
    ['x', '/', '4/5 (avg), 8/9', '<unset>', 0, 0, '60m'],
  ],
  [
    'autoscaling/v1',
    'HorizontalPodAutoscaler',
    {
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
      status: { currentCPUUtilizationPercentage: 7, currentReplicas: 1 },
    },
    ['x', 'Deployment/d', 'cpu: 7%/50%', '<unset>', 3, 1, '60m'],
  ],
  [
    'policy/v1',
    'PodDisruptionBudget',
    { spec: { maxUnavailable: '50%' }, status: { disruptionsAllowed: 2 } },
    ['x', 'N/A', '50%', 2, '60m'],
  ],
  ['autoscaling/v1', 'Scale', { spec: { replicas: 3 }, status: { replicas: 2 } }, ['x', 3, 2, '60m']],
  [
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    {
      roleRef: { kind: 'ClusterRole', name: 'view' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'g' },
        { kind: 'Group', name: 'h' },
        { kind: 'ServiceAccount', namespace: 'n', name: 's' },
      ],
    },
    ['x', 'ClusterRole/view', '60m', 'u', 'g, h', 'n/s'],
  ],
  ['rbac.authorization.k8s.io/v1', 'Role', {}, ['x', creationTimestamp]],
  [
    'certificates.k8s.io/v1',
    'CertificateSigningRequest',
    {
      spec: { signerName: 's', username: 'u', expirationSeconds: 3600 },
      status: { conditions: [{ type: 'Approved' }], certificate: 'Yg==' },
    },
    ['x', '60m', 's', 'u', '60m', 'Approved,Issued'],
  ],
  ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', { webhooks: [{}, {}] }, ['x', 2, '60m']],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy',
    { spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations: [{}] } },
    ['x', 1, 'v1/ConfigMap', '60m'],
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    { spec: { policyName: 'p', paramRef: { name: 'c' } } },
    ['x', 'p', '*/c', '60m'],
  ],
  [
    'admissionregistration.k8s.io/v1',
    'MutatingAdmissionPolicyBinding',
    { spec: { policyName: 'p', paramRef: { selector: { matchLabels: { b: '2', a: '1' } } } } },
    [
      'x',
      'p',
      '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{},}',
      '60m',
    ],
  ],
  ['scheduling.k8s.io/v1', 'PriorityClass', { value: 5, preemptionPolicy: 'Never' }, ['x', 5, false, '60m', 'Never']],
  [
    'flowcontrol.apiserver.k8s.io/v1',
    'PriorityLevelConfiguration',
    { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } } } },
    ['x', 'Limited', 5, '<none>', '<none>', '<none>', '60m'],
  ],
  [
    'flowcontrol.apiserver.k8s.io/v1',
    'FlowSchema',
    {
      spec: {
        priorityLevelConfiguration: { name: 'p' },
        matchingPrecedence: 9,
        distinguisherMethod: { type: 'ByUser' },
      },
      status: { conditions: [{ type: 'Dangling', status: 'False' }] },
    },
    ['x', 'p', 9, 'ByUser', '60m', 'False'],
  ],
  [
    'apiregistration.k8s.io/v1',
    'APIService',
    {
      spec: { service: { namespace: 'n', name: 's' } },
      status: { conditions: [{ type: 'Available', status: 'False', reason: 'MissingEndpoints' }] },
    },
    ['x', 'n/s', 'False (MissingEndpoints)', '60m'],
  ],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', {}, ['x', creationTimestamp]],
  [
    'resource.k8s.io/v1',
    'ResourceClaim',
    { status: { allocation: {}, reservedFor: [{}] } },
    ['x', 'allocated,reserved', '60m'],
  ],
  ['autoscaling/v1', 'Scale', { spec: { replicas: 3 }, status: { replicas: 2 } }, ['x', 3, 2, '60m']],
];

describe('table rows', () => {
  for (const [apiVersion, kind, object, expected] of rows) {
    it(`${kind} of ${apiVersion}: ${JSON.stringify(expected)}`, () => {
      const { metadata, ...rest } = object;
      assert.deepEqual(row(apiVersion, kind, { ...rest, metadata: (metadata ?? {}) as JsonObject }), expected);
    });
  }

  it('order flow schemas by precedence', () => {
    const compare = tablePrinter({ group: 'flowcontrol.apiserver.k8s.io', version: 'v1', kind: 'FlowSchema' }).compare;
    const schema = (name: string, matchingPrecedence: number): JsonObject => ({
      metadata: { name },
      spec: { matchingPrecedence },
    });
    const sorted = [schema('b', 2), schema('a', 2), schema('c', 1)].toSorted(compare);
    assert.deepEqual(sorted, [schema('c', 1), schema('a', 2), schema('b', 2)]);
  });
});

describe('table columns', () => {
  it('match the number of cells for an empty object of every kind', () => {
    for (const facts of resources()) {
      const cells = printRow(facts, {}, { now });
      const extra = facts.kind === 'IPAddress' ? 1 : 0;
      assert.equal(cells.length, tableColumns(facts).length + extra, `${facts.group}/${facts.version} ${facts.kind}`);
    }
  });

  it('match the recorded columns, apart from later changes', () => {
    const changed = new Set(['Event', 'ServiceAccount']);
    const plain = [
      { name: 'Name', type: 'string', format: 'name' },
      { name: 'Created At', type: 'date' },
    ];
    for (const facts of resources()) {
      if (!facts.verbs.includes('get') || changed.has(facts.kind)) continue;
      const expected = (facts.columns ?? plain).map((column) => ({ format: '', priority: 0, ...column }));
      const actual = tableColumns(facts).map(({ name, type, format, priority }) => ({ name, type, format, priority }));
      assert.deepEqual(actual, expected, `${facts.group}/${facts.version} ${facts.kind}`);
    }
  });

  it('are described and in wire order', () => {
    for (const facts of resources()) {
      for (const column of tableColumns(facts)) {
        assert.deepEqual(Object.keys(column), ['name', 'type', 'format', 'description', 'priority']);
        assert.notEqual(column.description, '');
      }
    }
  });
});
