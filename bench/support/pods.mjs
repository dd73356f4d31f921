export const pods = '/api/v1/namespaces/default/pods';

/** The body of a typical pod: two containers with probes, resources, variables and mounts; about 8 KB as served. */
export function podOf(index) {
  const replicaSet = `web-7f9c6d5b8${index % 100}`;
  const owner = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    name: replicaSet,
    uid: `7d0c2f1e-0000-4000-8000-${suffix(index % 100)}`,
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podName(index),
      labels: { app: 'web', 'pod-template-hash': replicaSet.slice(4), shard: `${index % 10}` },
      annotations: {
        'example.com/config-hash': ((index * 2_654_435_761) % 2 ** 32).toString(16),
        'prometheus.io/scrape': 'true',
      },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
    spec: {
      nodeName: `node-${index % 500}`,
      containers: [containerOf('web', 8080, index), containerOf('proxy', 15001, index)],
      volumes: [
        { name: 'config', configMap: { name: 'web-config', items: [{ key: 'a.yaml', path: 'a.yaml' }] } },
        { name: 'certificates', secret: { secretName: 'web-tls' } },
        { name: 'scratch', emptyDir: { sizeLimit: '1Gi' } },
      ],
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ],
    },
  });
}

export function podName(index) {
  return `web-${suffix(index)}`;
}

const suffix = (index) => `${index}`.padStart(12, '0');

function containerOf(name, port, index) {
  const probe = { httpGet: { path: '/healthz', port: 'http', scheme: 'HTTP' }, periodSeconds: 10, timeoutSeconds: 2 };
  return {
    name,
    image: `registry.example.com/shop/${name}:v1.${index % 7}.2`,
    args: ['--listen', `:${port}`, '--config', '/etc/web/a.yaml', '--log-level', 'info'],
    env: [
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      { name: 'DATABASE_URL', value: 'postgres://db.shop.svc.cluster.local:5432/shop?sslmode=verify-full' },
    ],
    ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }],
    resources: { requests: { cpu: '250m', memory: '512Mi' }, limits: { cpu: '1', memory: '1Gi' } },
    livenessProbe: probe,
    readinessProbe: { ...probe, periodSeconds: 5 },
    volumeMounts: [
      { name: 'config', mountPath: '/etc/web', readOnly: true },
      { name: 'certificates', mountPath: '/etc/tls', readOnly: true },
      { name: 'scratch', mountPath: '/tmp' },
    ],
    securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  };
}
