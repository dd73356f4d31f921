/** Small valid objects by kind, so that many requests reach the store. */
const container = { name: 'main', image: 'nginx' };
const podTemplate = { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } };
const workload = { selector: { matchLabels: { app: 'web' } }, template: podTemplate };

const bodies = {
  ConfigMap: { data: { a: 'b' } },
  Secret: { stringData: { a: 'b' } },
  Pod: { spec: podTemplate.spec },
  PodTemplate: { template: podTemplate },
  Service: { spec: { ports: [{ port: 80 }], selector: { app: 'web' } } },
  ServiceAccount: {},
  Namespace: {},
  PersistentVolumeClaim: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  ReplicationController: { spec: { replicas: 1, selector: { app: 'web' }, template: podTemplate } },
  Deployment: { spec: { replicas: 2, ...workload } },
  ReplicaSet: { spec: { replicas: 1, ...workload } },
  StatefulSet: { spec: { serviceName: 'web', ...workload } },
  DaemonSet: { spec: workload },
  ControllerRevision: { revision: 1, data: { a: 1 } },
  Job: { spec: { template: { spec: { containers: [container], restartPolicy: 'Never' } } } },
  CronJob: {
    spec: {
      schedule: '0 * * * *',
      jobTemplate: { spec: { template: { spec: { containers: [container], restartPolicy: 'Never' } } } },
    },
  },
  Ingress: { spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } } },
  NetworkPolicy: { spec: { podSelector: {} } },
  PodDisruptionBudget: { spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } } },
  HorizontalPodAutoscaler: {
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
  },
  Role: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  ClusterRole: { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
  RoleBinding: { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' } },
  Lease: { spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } },
  LimitRange: { spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] } },
  ResourceQuota: { spec: { hard: { pods: '10' } } },
  PriorityClass: { value: 100 },
  StorageClass: { provisioner: 'example.com/p' },
  EndpointSlice: { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }] },
  ValidatingAdmissionPolicy: { spec: { validations: [{ expression: 'object.spec.replicas < 100' }] } },
};

/** The valid part of an object of a kind, without type and metadata; undefined for kinds without a sample. */
export const sampleOf = (kind) => structuredClone(bodies[kind]);

/** The kinds with samples. */
export const sampledKinds = new Set(Object.keys(bodies));
