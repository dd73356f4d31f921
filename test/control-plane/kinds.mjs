/** The kinds that scenarios use, by the version in which they use them. */
import { resourceOfKind } from '@binnacle/api/table';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import { pathOf as pathOfTarget } from '@binnacle/client/rest';

const kinds = {
  v1: [
    'Pod',
    'Service',
    'Endpoints',
    'ConfigMap',
    'Secret',
    'ServiceAccount',
    'Event',
    'ReplicationController',
    'ResourceQuota',
    'LimitRange',
    'PersistentVolumeClaim',
    'PersistentVolume',
    'Node',
    'Namespace',
  ],
  'apps/v1': ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'ControllerRevision'],
  'batch/v1': ['Job', 'CronJob'],
  'policy/v1': ['PodDisruptionBudget'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'discovery.k8s.io/v1': ['EndpointSlice'],
  'coordination.k8s.io/v1': ['Lease'],
  'storage.k8s.io/v1': ['StorageClass', 'VolumeAttachment', 'CSINode', 'CSIDriver'],
  'scheduling.k8s.io/v1': ['PriorityClass'],
  'certificates.k8s.io/v1': ['CertificateSigningRequest'],
  'rbac.authorization.k8s.io/v1': ['ClusterRole', 'RoleBinding'],
  'resource.k8s.io/v1': ['ResourceClaim', 'ResourceClaimTemplate'],
  'networking.k8s.io/v1': ['ServiceCIDR', 'IPAddress'],
  'apiextensions.k8s.io/v1': ['CustomResourceDefinition'],
};

const byName = new Map(
  Object.entries(kinds).flatMap(([apiVersion, names]) =>
    names.map((kind) => [kind, { apiVersion, resource: resourceOfKind({ ...parseGroupVersion(apiVersion), kind }) }]),
  ),
);

export const apiVersionOf = (kind) => byName.get(kind).apiVersion;
export const isClusterScoped = (kind) => !byName.get(kind).resource.namespaced;

/** The path of a collection, of an object, or of its subresource. */
export function pathOf(kind, { namespace, name, subresource }) {
  const { resource } = byName.get(kind);
  return pathOfTarget({
    resource,
    namespace: resource.namespaced ? namespace : undefined,
    name: name ?? undefined,
    subresource: subresource ?? undefined,
  });
}
