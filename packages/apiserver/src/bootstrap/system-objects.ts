import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { formatTime } from '@binnacle/apimachinery/time';

/** Namespaces that exist from the start. Upstream: `pkg/controlplane/controller/systemnamespaces`. */
const SYSTEM_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease', 'default'] as const;

export function systemNamespaces(): KubernetesObject[] {
  return SYSTEM_NAMESPACES.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
}

/** Upstream: `pkg/apis/scheduling` SystemPriorityClasses. */
export function systemPriorityClasses(): KubernetesObject[] {
  const priorityClass = (name: string, value: number, description: string): KubernetesObject => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
    description,
  });
  return [
    priorityClass(
      'system-node-critical',
      2_000_001_000,
      'Used for system critical pods that must not be moved from their current node.',
    ),
    priorityClass(
      'system-cluster-critical',
      2_000_000_000,
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    ),
  ];
}

/**
 * Records the date since which the server tracks the use of legacy service account tokens. Controllers wait for this
 * object.
 * Upstream: `pkg/controlplane/controller/legacytokentracking`.
 */
export function tokenTracking(now: number): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kube-apiserver-legacy-service-account-token-tracking', namespace: 'kube-system' },
    data: { since: formatTime(now).slice(0, '2026-01-01'.length) },
  };
}

/**
 * The service at which clients in the cluster reach the server. Upstream:
 * `pkg/controlplane/controller/kubernetesservice`.
 */
export function kubernetesService(clusterIp: string, targetPort: number): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      type: 'ClusterIP',
      clusterIP: clusterIp,
      ipFamilyPolicy: 'SingleStack',
      sessionAffinity: 'None',
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort }],
    },
  };
}
