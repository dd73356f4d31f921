import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deepCopy, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import { WorkBudget } from '@binnacle/apimachinery/work';
import { definitionNames, kindSchema, schemaOf } from '../table/index.js';
import { applyDefaults, applyDefaultsInSteps } from './apply-defaults.js';
import { typeDefaults } from './type-defaults.js';

function defaulted(apiVersion: string, kind: string, content: JsonObject): JsonObject {
  const groupVersion = parseGroupVersion(apiVersion);
  const schema = groupVersion && kindSchema({ ...groupVersion, kind });
  assert.ok(schema, `${apiVersion} ${kind} has a schema`);
  const object = deepCopy({ ...content, apiVersion, kind });
  applyDefaults(object, schema, { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 600) });
  const again = deepCopy(object);
  applyDefaults(again, schema, { now: () => 0 });
  assert.deepEqual(again, object, 'a second pass changes nothing');
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = object;
  return rest;
}

const template: JsonObject = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'nginx' }] },
};
const container: JsonObject = {
  name: 'c',
  image: 'nginx',
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'Always',
};
const podSpec: JsonObject = {
  containers: [container],
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};
const templateAfter: JsonObject = { metadata: { labels: { app: 'web' } }, spec: podSpec };

interface Sample {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

const samples: readonly Sample[] = [
  {
    name: 'pod',
    apiVersion: 'v1',
    kind: 'Pod',
    before: { spec: { containers: [{ name: 'c', image: 'nginx' }] } },
    after: { spec: { ...podSpec, enableServiceLinks: true } },
  },
  {
    name: 'pod: a negative grace period becomes a second',
    apiVersion: 'v1',
    kind: 'Pod',
    before: { spec: { containers: [{ name: 'c', image: 'nginx' }], terminationGracePeriodSeconds: -5 } },
    after: { spec: { ...podSpec, enableServiceLinks: true, terminationGracePeriodSeconds: 1 } },
  },
  {
    name: 'replica set: a negative grace period of the template stays',
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    before: {
      spec: { template: { spec: { containers: [{ name: 'c', image: 'nginx' }], terminationGracePeriodSeconds: -5 } } },
    },
    after: {
      spec: {
        replicas: 1,
        template: { spec: { ...podSpec, terminationGracePeriodSeconds: -5 } },
      },
    },
  },
  {
    name: 'pod: copies limits to requests and completes ports, probes, fields and volumes',
    apiVersion: 'v1',
    kind: 'Pod',
    before: {
      spec: {
        hostNetwork: true,
        serviceAccount: 'builder',
        containers: [
          {
            name: 'c',
            image: 'registry.example.com/app:1.2',
            ports: [{ containerPort: 80 }],
            livenessProbe: { httpGet: { port: 80 } },
            readinessProbe: { grpc: { port: 90 } },
            env: [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
            resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100500u' } },
          },
        ],
        volumes: [
          { name: 'nothing' },
          { name: 'host', hostPath: { path: '/x' } },
          { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
        ],
      },
    },
    after: {
      spec: {
        ...podSpec,
        enableServiceLinks: true,
        hostNetwork: true,
        serviceAccount: 'builder',
        serviceAccountName: 'builder',
        containers: [
          {
            ...container,
            image: 'registry.example.com/app:1.2',
            imagePullPolicy: 'IfNotPresent',
            ports: [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }],
            livenessProbe: {
              httpGet: { port: 80, path: '/', scheme: 'HTTP' },
              timeoutSeconds: 1,
              periodSeconds: 10,
              successThreshold: 1,
              failureThreshold: 3,
            },
            readinessProbe: {
              grpc: { port: 90, service: '' },
              timeoutSeconds: 1,
              periodSeconds: 10,
              successThreshold: 1,
              failureThreshold: 3,
            },
            env: [{ name: 'NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }],
            resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '101m', memory: '1Gi' } },
          },
        ],
        volumes: [
          { name: 'nothing', emptyDir: {} },
          { name: 'host', hostPath: { path: '/x', type: '' } },
          {
            name: 'token',
            projected: { defaultMode: 420, sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }] },
          },
        ],
      },
    },
  },
  {
    name: 'pod: takes pod-level requests from its containers, then from its own limits',
    apiVersion: 'v1',
    kind: 'Pod',
    before: {
      spec: {
        resources: { limits: { cpu: '4', memory: '1Gi' } },
        initContainers: [
          { name: 's', image: 'nginx', restartPolicy: 'Always', resources: { requests: { cpu: '200m' } } },
          { name: 'i', image: 'nginx', resources: { requests: { cpu: '900m' } } },
        ],
        containers: [
          { name: 'c', image: 'nginx', resources: { requests: { cpu: '1' }, limits: { 'hugepages-2Mi': '4Mi' } } },
        ],
      },
    },
    after: {
      spec: {
        ...podSpec,
        enableServiceLinks: true,
        resources: {
          limits: { cpu: '4', memory: '1Gi', 'hugepages-2Mi': '4Mi' },
          requests: { cpu: '1200m', memory: '1Gi', 'hugepages-2Mi': '4Mi' },
        },
        initContainers: [
          { ...container, name: 's', restartPolicy: 'Always', resources: { requests: { cpu: '200m' } } },
          { ...container, name: 'i', resources: { requests: { cpu: '900m' } } },
        ],
        containers: [
          {
            ...container,
            resources: {
              requests: { cpu: '1', 'hugepages-2Mi': '4Mi' },
              limits: { 'hugepages-2Mi': '4Mi' },
            },
          },
        ],
      },
    },
  },
  {
    name: 'service',
    apiVersion: 'v1',
    kind: 'Service',
    before: { spec: { ports: [{ port: 80 }, { port: 81, targetPort: 'http', protocol: 'UDP' }] } },
    after: {
      spec: {
        type: 'ClusterIP',
        sessionAffinity: 'None',
        internalTrafficPolicy: 'Cluster',
        ports: [
          { port: 80, protocol: 'TCP', targetPort: 80 },
          { port: 81, targetPort: 'http', protocol: 'UDP' },
        ],
      },
    },
  },
  {
    name: 'service: load balancer with client affinity',
    apiVersion: 'v1',
    kind: 'Service',
    before: {
      spec: { type: 'LoadBalancer', sessionAffinity: 'ClientIP' },
      status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
    },
    after: {
      spec: {
        type: 'LoadBalancer',
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
        externalTrafficPolicy: 'Cluster',
        internalTrafficPolicy: 'Cluster',
        allocateLoadBalancerNodePorts: true,
      },
      status: { loadBalancer: { ingress: [{ ip: '1.2.3.4', ipMode: 'VIP' }] } },
    },
  },
  {
    name: 'service: external name',
    apiVersion: 'v1',
    kind: 'Service',
    before: { spec: { type: 'ExternalName', externalName: 'example.com' } },
    after: { spec: { type: 'ExternalName', externalName: 'example.com', sessionAffinity: 'None' } },
  },
  {
    name: 'deployment',
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    before: { spec: { template } },
    after: {
      spec: {
        replicas: 1,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        template: templateAfter,
      },
    },
  },
  {
    name: 'stateful set: sets the type of its claims',
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    before: { spec: { template, volumeClaimTemplates: [{ metadata: { name: 'v' } }] } },
    after: {
      spec: {
        replicas: 1,
        podManagementPolicy: 'OrderedReady',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
        revisionHistoryLimit: 10,
        template: templateAfter,
        volumeClaimTemplates: [
          {
            kind: 'PersistentVolumeClaim',
            apiVersion: 'v1',
            metadata: { name: 'v' },
            spec: { volumeMode: 'Filesystem' },
            status: { phase: 'Pending' },
          },
        ],
      },
    },
  },
  {
    name: 'daemon set',
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    before: { spec: { template } },
    after: {
      metadata: { annotations: { 'deprecated.daemonset.template.generation': '0' } },
      spec: {
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
        revisionHistoryLimit: 10,
        template: templateAfter,
      },
    },
  },
  {
    name: 'job: takes labels from its template',
    apiVersion: 'batch/v1',
    kind: 'Job',
    before: { spec: { backoffLimitPerIndex: 2, template } },
    after: {
      metadata: { labels: { app: 'web' } },
      spec: {
        completions: 1,
        parallelism: 1,
        backoffLimit: 2147483647,
        backoffLimitPerIndex: 2,
        completionMode: 'NonIndexed',
        suspend: false,
        manualSelector: false,
        podReplacementPolicy: 'TerminatingOrFailed',
        template: templateAfter,
      },
    },
  },
  {
    name: 'cron job: does not default its template as a job',
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    before: { spec: { schedule: '* * * * *', jobTemplate: { spec: { template } } } },
    after: {
      spec: {
        schedule: '* * * * *',
        concurrencyPolicy: 'Allow',
        suspend: false,
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
        jobTemplate: { spec: { template: templateAfter } },
      },
    },
  },
  {
    name: 'replication controller',
    apiVersion: 'v1',
    kind: 'ReplicationController',
    before: { spec: { template } },
    after: {
      metadata: { labels: { app: 'web' } },
      spec: { replicas: 1, selector: { app: 'web' }, template: templateAfter },
    },
  },
  {
    name: 'horizontal pod autoscaler: completes behavior member by member',
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    before: { spec: { maxReplicas: 3, behavior: { scaleUp: { selectPolicy: 'Min' } } } },
    after: {
      spec: {
        minReplicas: 1,
        maxReplicas: 3,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
        ],
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 0,
            selectPolicy: 'Min',
            policies: [
              { type: 'Pods', value: 4, periodSeconds: 15 },
              { type: 'Percent', value: 100, periodSeconds: 15 },
            ],
          },
          scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
        },
      },
    },
  },
  {
    name: 'network policy',
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    before: { spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] } },
    after: {
      spec: {
        podSelector: {},
        egress: [{ ports: [{ port: 53, protocol: 'TCP' }] }],
        policyTypes: ['Ingress', 'Egress'],
      },
    },
  },
  {
    name: 'persistent volume',
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    before: { spec: { capacity: { storage: '1Gi' }, iscsi: { targetPortal: 'p', iqn: 'q', lun: 0 } } },
    after: {
      spec: {
        capacity: { storage: '1Gi' },
        iscsi: { targetPortal: 'p', iqn: 'q', lun: 0, iscsiInterface: 'default' },
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Pending' },
    },
  },
  {
    name: 'secret: moves stringData into data',
    apiVersion: 'v1',
    kind: 'Secret',
    before: { data: { a: 'MQ==', b: 'MQ==' }, stringData: { a: 'ü' } },
    after: { type: 'Opaque', data: { a: 'w7w=', b: 'MQ==' } },
  },
  {
    name: 'namespace',
    apiVersion: 'v1',
    kind: 'Namespace',
    before: { metadata: { name: 'n' } },
    after: { metadata: { name: 'n', labels: { 'kubernetes.io/metadata.name': 'n' } }, status: { phase: 'Active' } },
  },
  {
    name: 'limit range',
    apiVersion: 'v1',
    kind: 'LimitRange',
    before: { spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { memory: '1Mi' } }] } },
    after: {
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '2' },
            min: { memory: '1Mi' },
            default: { cpu: '2' },
            defaultRequest: { cpu: '2', memory: '1Mi' },
          },
        ],
      },
    },
  },
  {
    name: 'webhook configuration',
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    before: {
      webhooks: [{ name: 'a.example.com', clientConfig: { service: { name: 's', namespace: 'n' } }, rules: [{}] }],
    },
    after: {
      webhooks: [
        {
          name: 'a.example.com',
          clientConfig: { service: { name: 's', namespace: 'n', port: 443 } },
          rules: [{ scope: '*' }],
          failurePolicy: 'Fail',
          matchPolicy: 'Equivalent',
          namespaceSelector: {},
          objectSelector: {},
          timeoutSeconds: 10,
          reinvocationPolicy: 'Never',
        },
      ],
    },
  },
  {
    name: 'role binding',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    before: {
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'ServiceAccount', name: 's' },
      ],
    },
    after: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io' },
      subjects: [
        { kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' },
        { kind: 'ServiceAccount', name: 's' },
      ],
    },
  },
  {
    name: 'custom resource definition',
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    before: {
      spec: {
        names: { kind: 'CronTab', plural: 'crontabs' },
        versions: [{ name: 'v1' }, { name: 'v2', storage: true }],
      },
    },
    after: {
      spec: {
        names: { kind: 'CronTab', plural: 'crontabs', singular: 'crontab', listKind: 'CronTabList' },
        conversion: { strategy: 'None' },
        versions: [{ name: 'v1' }, { name: 'v2', storage: true }],
      },
      status: { storedVersions: ['v2'] },
    },
  },
  {
    name: 'device taint: sets the time it was added',
    apiVersion: 'resource.k8s.io/v1beta2',
    kind: 'DeviceTaintRule',
    before: { spec: { taint: { key: 'k', effect: 'NoSchedule' } } },
    after: { spec: { taint: { key: 'k', effect: 'NoSchedule', timeAdded: '2026-01-02T03:04:05Z' } } },
  },
  {
    name: 'device: defaults the multiplier of resource mappings',
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    before: { spec: { devices: [{ name: 'd', nodeAllocatableResourceMappings: { cpu: {} } }] } },
    after: {
      spec: { devices: [{ name: 'd', nodeAllocatableResourceMappings: { cpu: { allocationMultiplier: '1' } } }] },
    },
  },
  {
    name: 'policy binding: defaults parameterNotFoundAction in v1alpha1 only',
    apiVersion: 'admissionregistration.k8s.io/v1alpha1',
    kind: 'MutatingAdmissionPolicyBinding',
    before: { spec: { paramRef: { name: 'p' } } },
    after: { spec: { paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } } },
  },
  {
    name: 'priority level: keeps an explicit zero only where Go has a pointer',
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    before: {
      spec: { limited: { nominalConcurrencyShares: 0, limitResponse: { type: 'Queue', queuing: { queues: 0 } } } },
    },
    after: {
      spec: {
        limited: {
          nominalConcurrencyShares: 0,
          lendablePercent: 0,
          limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
        },
      },
    },
  },
];

describe('defaults', () => {
  for (const sample of samples) {
    it(sample.name, () => {
      const after: JsonValue = defaulted(sample.apiVersion, sample.kind, sample.before);
      assert.deepEqual(after, sample.after);
    });
  }

  it('leave a kind without rules unchanged', () => {
    const before = { spec: { holderIdentity: 'me', leaseDurationSeconds: 15 } };
    assert.deepEqual(defaulted('coordination.k8s.io/v1', 'Lease', before), before);
  });

  it('treat null as absent and untrusted keys as data', () => {
    const limits: JsonObject = Object.fromEntries([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
    const after = defaulted('v1', 'Pod', {
      spec: { dnsPolicy: null, containers: [{ name: 'c', image: 'Bad Image', resources: { limits } }] },
    });
    assert.deepEqual(JSON.parse(JSON.stringify(after)), {
      spec: {
        ...podSpec,
        enableServiceLinks: true,
        containers: [
          {
            ...container,
            image: 'Bad Image',
            imagePullPolicy: 'IfNotPresent',
            resources: { limits, requests: limits },
          },
        ],
      },
    });
  });

  it('have rules only for existing types', () => {
    const known = new Set(definitionNames());
    const unknown = [...typeDefaults.keys()].filter((name) => !known.has(name));
    assert.deepEqual(unknown, []);
  });

  it('apply to an empty object of every type without an error', () => {
    for (const name of definitionNames()) applyDefaults({}, schemaOf(name));
  });

  it('add no more than the budget allows', () => {
    const schema = kindSchema({ group: '', version: 'v1', kind: 'Pod' });
    assert.ok(schema);
    const pod = (containers: number): JsonObject => ({
      spec: { containers: Array.from({ length: containers }, () => ({})) },
    });
    applyDefaults(pod(25_000), schema, { budget: new WorkBudget() });
    assert.throws(() => applyDefaults(pod(60_000), schema, { budget: new WorkBudget() }), { code: 413 });
    applyDefaults(pod(60_000), schema);
  });
});

describe('applyDefaultsInSteps', () => {
  const entries = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`a.b/${index}`, '1']));
  const items = Array.from({ length: 20_000 }, () => ({}));
  const volumes = [{ name: 'v', projected: { sources: [{ downwardAPI: { items } }] } }];
  const large: [string, string, JsonObject, number][] = [
    ['items without defaults', 'Pod', { containers: [], volumes }, 40],
    ['limits of a container', 'Pod', { containers: [{ resources: { limits: entries } }] }, 75],
    ['bounds of a limit range', 'LimitRange', { limits: [{ type: 'Container', max: entries }] }, 140],
  ];
  for (const [name, kind, spec, steps] of large) {
    it(`visits in steps: ${name}`, () => {
      const schema = kindSchema({ group: '', version: 'v1', kind });
      assert.ok(schema);
      let yields = 0;
      for (const _ of applyDefaultsInSteps({ spec: deepCopy(spec) }, schema)) yields++;
      assert.ok(yields >= steps, `${yields} steps`);
    });
  }
});
