/** The kinds that scenarios use: where the server has them, and which are cluster-scoped. */
const kinds = {
  v1: {
    Pod: 'pods',
    Service: 'services',
    Endpoints: 'endpoints',
    ConfigMap: 'configmaps',
    Secret: 'secrets',
    ServiceAccount: 'serviceaccounts',
    Event: 'events',
    ReplicationController: 'replicationcontrollers',
    ResourceQuota: 'resourcequotas',
    LimitRange: 'limitranges',
    PersistentVolumeClaim: 'persistentvolumeclaims',
    PersistentVolume: 'persistentvolumes',
    Node: 'nodes',
    Namespace: 'namespaces',
  },
  'apps/v1': {
    Deployment: 'deployments',
    ReplicaSet: 'replicasets',
    StatefulSet: 'statefulsets',
    DaemonSet: 'daemonsets',
    ControllerRevision: 'controllerrevisions',
  },
  'batch/v1': { Job: 'jobs', CronJob: 'cronjobs' },
  'policy/v1': { PodDisruptionBudget: 'poddisruptionbudgets' },
  'autoscaling/v2': { HorizontalPodAutoscaler: 'horizontalpodautoscalers' },
  'discovery.k8s.io/v1': { EndpointSlice: 'endpointslices' },
  'coordination.k8s.io/v1': { Lease: 'leases' },
  'storage.k8s.io/v1': {
    StorageClass: 'storageclasses',
    VolumeAttachment: 'volumeattachments',
    CSINode: 'csinodes',
    CSIDriver: 'csidrivers',
  },
  'scheduling.k8s.io/v1': { PriorityClass: 'priorityclasses' },
  'certificates.k8s.io/v1': { CertificateSigningRequest: 'certificatesigningrequests' },
  'rbac.authorization.k8s.io/v1': { ClusterRole: 'clusterroles', RoleBinding: 'rolebindings' },
  'resource.k8s.io/v1': { ResourceClaim: 'resourceclaims', ResourceClaimTemplate: 'resourceclaimtemplates' },
  'networking.k8s.io/v1': { ServiceCIDR: 'servicecidrs', IPAddress: 'ipaddresses' },
  'apiextensions.k8s.io/v1': { CustomResourceDefinition: 'customresourcedefinitions' },
};

const clusterScoped = new Set([
  'PersistentVolume',
  'Node',
  'Namespace',
  'StorageClass',
  'VolumeAttachment',
  'CSINode',
  'CSIDriver',
  'PriorityClass',
  'CertificateSigningRequest',
  'ClusterRole',
  'ServiceCIDR',
  'IPAddress',
  'CustomResourceDefinition',
]);

const byName = new Map(
  Object.entries(kinds).flatMap(([apiVersion, resources]) =>
    Object.entries(resources).map(([kind, resource]) => [kind, { apiVersion, resource }]),
  ),
);

export const apiVersionOf = (kind) => byName.get(kind).apiVersion;
export const isClusterScoped = (kind) => clusterScoped.has(kind);

/** The path of a collection, of an object, or of its subresource. */
export function pathOf(kind, { namespace, name, subresource }) {
  const { apiVersion, resource } = byName.get(kind);
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const scope = isClusterScoped(kind) ? [] : ['namespaces', namespace];
  return [root, ...scope, resource, name, subresource].filter((part) => part !== undefined && part !== null).join('/');
}
