import type { GroupVersionResource } from '@binnacle/apimachinery/meta';
import type { ControlLoop, LoopContext } from '../loop/index.js';

/** A control loop that `--controllers` can name. */
export interface LoopFacts {
  readonly name: string;
  /** Former names, which `--controllers` still accepts. */
  readonly aliases: readonly string[];
  /** The service account in `kube-system` that the loop acts as. */
  readonly serviceAccount: string;
  /** It acts as the manager, because no controller's account may write the Secrets and service accounts of all namespaces. */
  readonly actsAsManager?: true;
  readonly enabledByDefault: boolean;
  /** Every cluster needs this loop: it deletes objects whose owner or namespace is gone, or creates the objects that each namespace has. */
  readonly isHousekeeping?: true;
  /** It deletes or rewrites what users have created, one by one, so it may write more often than others. */
  readonly writesInBulk?: true;
  /** A resource that servers do not serve by default. Where it is missing, the loop has nothing to do. */
  readonly needs?: GroupVersionResource;
  /** Loads the loop's code and creates the loop. */
  readonly create: (context: LoopContext) => Promise<ControlLoop>;
}

/** All loops. Upstream: kubernetes `cmd/kube-controller-manager/names` and `app`. */
export const loops: readonly LoopFacts[] = [
  {
    name: 'clusterrole-aggregation-controller',
    aliases: ['clusterrole-aggregation'],
    serviceAccount: 'clusterrole-aggregation-controller',
    enabledByDefault: true,
    isHousekeeping: true,
    create: async (context) => {
      const { createClusterRoleAggregationLoop } = await import('../clusterroleaggregation/index.js');
      return createClusterRoleAggregationLoop(context);
    },
  },
  {
    name: 'namespace-controller',
    aliases: ['namespace'],
    serviceAccount: 'namespace-controller',
    enabledByDefault: true,
    isHousekeeping: true,
    writesInBulk: true,
    create: async (context) => {
      const { createNamespaceLoop } = await import('../namespace/index.js');
      return createNamespaceLoop(context);
    },
  },
  {
    name: 'serviceaccount-controller',
    aliases: ['serviceaccount'],
    serviceAccount: 'service-account-controller',
    enabledByDefault: true,
    isHousekeeping: true,
    create: async (context) => {
      const { createServiceAccountLoop } = await import('../namespacedefaults/index.js');
      return createServiceAccountLoop(context);
    },
  },
  {
    name: 'root-ca-certificate-publisher-controller',
    aliases: ['root-ca-cert-publisher'],
    serviceAccount: 'root-ca-cert-publisher',
    enabledByDefault: true,
    isHousekeeping: true,
    create: async (context) => {
      const { createRootCertificateLoop } = await import('../namespacedefaults/index.js');
      return createRootCertificateLoop(context);
    },
  },
  {
    name: 'validatingadmissionpolicy-status-controller',
    aliases: ['validatingadmissionpolicy-status'],
    serviceAccount: 'validatingadmissionpolicy-status-controller',
    enabledByDefault: true,
    isHousekeeping: true,
    create: async (context) => {
      const { createPolicyStatusLoop } = await import('../validatingadmissionpolicystatus/index.js');
      return createPolicyStatusLoop(context);
    },
  },
  {
    name: 'garbage-collector-controller',
    aliases: ['garbagecollector'],
    serviceAccount: 'generic-garbage-collector',
    enabledByDefault: true,
    isHousekeeping: true,
    writesInBulk: true,
    create: async (context) => {
      const { createGarbageCollector } = await import('../garbagecollector/index.js');
      return createGarbageCollector(context);
    },
  },
  {
    name: 'replicationcontroller-controller',
    aliases: ['replicationcontroller'],
    serviceAccount: 'replication-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createReplicationControllerLoop } = await import('../replicas/index.js');
      return createReplicationControllerLoop(context);
    },
  },
  {
    name: 'deployment-controller',
    aliases: ['deployment'],
    serviceAccount: 'deployment-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createDeploymentLoop } = await import('../deployment/index.js');
      return createDeploymentLoop(context);
    },
  },
  {
    name: 'daemonset-controller',
    aliases: ['daemonset'],
    serviceAccount: 'daemon-set-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createDaemonSetLoop } = await import('../daemonset/index.js');
      return createDaemonSetLoop(context);
    },
  },
  {
    name: 'statefulset-controller',
    aliases: ['statefulset'],
    serviceAccount: 'statefulset-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createStatefulSetLoop } = await import('../statefulset/index.js');
      return createStatefulSetLoop(context);
    },
  },
  {
    name: 'replicaset-controller',
    aliases: ['replicaset'],
    serviceAccount: 'replicaset-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createReplicaSetLoop } = await import('../replicas/index.js');
      return createReplicaSetLoop(context);
    },
  },
  {
    name: 'endpoints-controller',
    aliases: ['endpoint'],
    serviceAccount: 'endpoint-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createEndpointsLoop } = await import('../endpoints/index.js');
      return createEndpointsLoop(context);
    },
  },
  {
    name: 'endpointslice-controller',
    aliases: ['endpointslice'],
    serviceAccount: 'endpointslice-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createEndpointSliceLoop } = await import('../endpointslice/index.js');
      return createEndpointSliceLoop(context);
    },
  },
  {
    name: 'endpointslice-mirroring-controller',
    aliases: ['endpointslicemirroring'],
    serviceAccount: 'endpointslicemirroring-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createEndpointSliceMirroringLoop } = await import('../endpointslicemirroring/index.js');
      return createEndpointSliceMirroringLoop(context);
    },
  },
  {
    name: 'service-cidr-controller',
    aliases: [],
    serviceAccount: 'service-cidrs-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createServiceCidrLoop } = await import('../servicecidr/index.js');
      return createServiceCidrLoop(context);
    },
  },
  {
    name: 'service-lb-controller',
    aliases: ['service'],
    serviceAccount: 'service-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createServiceLbLoop } = await import('../servicelb/index.js');
      return createServiceLbLoop(context);
    },
  },
  {
    name: 'job-controller',
    aliases: ['job'],
    serviceAccount: 'job-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createJobLoop } = await import('../job/index.js');
      return createJobLoop(context);
    },
  },
  {
    name: 'cronjob-controller',
    aliases: ['cronjob'],
    serviceAccount: 'cronjob-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createCronJobLoop } = await import('../cronjob/index.js');
      return createCronJobLoop(context);
    },
  },
  {
    name: 'certificatesigningrequest-signing-controller',
    aliases: ['csrsigning'],
    serviceAccount: 'certificate-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createCsrSigningLoop } = await import('../csrsigning/index.js');
      return createCsrSigningLoop(context);
    },
  },
  {
    name: 'certificatesigningrequest-approving-controller',
    aliases: ['csrapproving'],
    serviceAccount: 'certificate-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createCsrApprovingLoop } = await import('../csrapproving/index.js');
      return createCsrApprovingLoop(context);
    },
  },
  {
    name: 'certificatesigningrequest-cleaner-controller',
    aliases: ['csrcleaner'],
    serviceAccount: 'certificate-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createCsrCleanerLoop } = await import('../csrcleaner/index.js');
      return createCsrCleanerLoop(context);
    },
  },
  {
    name: 'serviceaccount-token-controller',
    aliases: ['serviceaccount-token'],
    serviceAccount: 'tokens-controller',
    actsAsManager: true,
    enabledByDefault: true,
    create: async (context) => {
      const { createServiceAccountTokenLoop } = await import('../serviceaccounttoken/index.js');
      return createServiceAccountTokenLoop(context);
    },
  },
  {
    name: 'legacy-serviceaccount-token-cleaner-controller',
    aliases: ['legacy-service-account-token-cleaner'],
    serviceAccount: 'legacy-service-account-token-cleaner',
    enabledByDefault: true,
    create: async (context) => {
      const { createLegacyTokenCleanerLoop } = await import('../legacytokencleaner/index.js');
      return createLegacyTokenCleanerLoop(context);
    },
  },
  {
    name: 'bootstrap-signer-controller',
    aliases: ['bootstrapsigner'],
    serviceAccount: 'bootstrap-signer',
    enabledByDefault: false,
    create: async (context) => {
      const { createBootstrapSignerLoop } = await import('../bootstrapsigner/index.js');
      return createBootstrapSignerLoop(context);
    },
  },
  {
    name: 'token-cleaner-controller',
    aliases: ['tokencleaner'],
    serviceAccount: 'token-cleaner',
    enabledByDefault: false,
    create: async (context) => {
      const { createTokenCleanerLoop } = await import('../tokencleaner/index.js');
      return createTokenCleanerLoop(context);
    },
  },
  {
    name: 'node-lifecycle-controller',
    aliases: ['nodelifecycle'],
    serviceAccount: 'node-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createNodeLifecycleLoop } = await import('../nodelifecycle/index.js');
      return createNodeLifecycleLoop(context);
    },
  },
  {
    name: 'node-ipam-controller',
    aliases: ['nodeipam'],
    serviceAccount: 'node-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createNodeIpamLoop } = await import('../nodeipam/index.js');
      return createNodeIpamLoop(context);
    },
  },
  {
    name: 'taint-eviction-controller',
    aliases: [],
    serviceAccount: 'node-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createTaintEvictionLoop } = await import('../tainteviction/index.js');
      return createTaintEvictionLoop(context);
    },
  },
  {
    name: 'device-taint-eviction-controller',
    aliases: [],
    serviceAccount: 'device-taint-eviction-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createDeviceTaintEvictionLoop } = await import('../devicetainteviction/index.js');
      return createDeviceTaintEvictionLoop(context);
    },
  },
  {
    name: 'persistentvolumeclaim-protection-controller',
    aliases: ['pvc-protection'],
    serviceAccount: 'pvc-protection-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createPvcProtectionLoop } = await import('../pvcprotection/index.js');
      return createPvcProtectionLoop(context);
    },
  },
  {
    name: 'persistentvolume-protection-controller',
    aliases: ['pv-protection'],
    serviceAccount: 'pv-protection-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createPvProtectionLoop } = await import('../pvprotection/index.js');
      return createPvProtectionLoop(context);
    },
  },
  {
    name: 'persistentvolume-binder-controller',
    aliases: ['persistentvolume-binder'],
    serviceAccount: 'persistent-volume-binder',
    enabledByDefault: true,
    create: async (context) => {
      const { createPersistentVolumeLoop } = await import('../persistentvolume/index.js');
      return createPersistentVolumeLoop(context);
    },
  },
  {
    name: 'resourceclaim-controller',
    aliases: ['resource-claim-controller'],
    serviceAccount: 'resource-claim-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createResourceClaimLoop } = await import('../resourceclaim/index.js');
      return createResourceClaimLoop(context);
    },
  },
  {
    name: 'persistentvolume-attach-detach-controller',
    aliases: ['attachdetach'],
    serviceAccount: 'attachdetach-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createAttachDetachLoop } = await import('../attachdetach/index.js');
      return createAttachDetachLoop(context);
    },
  },
  {
    name: 'persistentvolume-expander-controller',
    aliases: ['persistentvolume-expander'],
    serviceAccount: 'expand-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createVolumeExpandLoop } = await import('../volumeexpand/index.js');
      return createVolumeExpandLoop(context);
    },
  },
  {
    name: 'ephemeral-volume-controller',
    aliases: ['ephemeral-volume'],
    serviceAccount: 'ephemeral-volume-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createEphemeralVolumeLoop } = await import('../ephemeralvolume/index.js');
      return createEphemeralVolumeLoop(context);
    },
  },
  {
    name: 'volumeattributesclass-protection-controller',
    aliases: [],
    serviceAccount: 'volumeattributesclass-protection-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createVacProtectionLoop } = await import('../vacprotection/index.js');
      return createVacProtectionLoop(context);
    },
  },
  {
    name: 'pod-garbage-collector-controller',
    aliases: ['podgc'],
    serviceAccount: 'pod-garbage-collector',
    enabledByDefault: true,
    create: async (context) => {
      const { createPodGarbageCollector } = await import('../podgc/index.js');
      return createPodGarbageCollector(context);
    },
  },
  {
    name: 'resourcequota-controller',
    aliases: ['resourcequota'],
    serviceAccount: 'resourcequota-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createResourceQuotaLoop } = await import('../resourcequota/index.js');
      return createResourceQuotaLoop(context);
    },
  },
  {
    name: 'horizontal-pod-autoscaler-controller',
    aliases: ['horizontalpodautoscaling'],
    serviceAccount: 'horizontal-pod-autoscaler',
    enabledByDefault: true,
    create: async (context) => {
      const { createAutoscalerLoop } = await import('../podautoscaler/index.js');
      return createAutoscalerLoop(context);
    },
  },
  {
    name: 'disruption-controller',
    aliases: ['disruption'],
    serviceAccount: 'disruption-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createDisruptionLoop } = await import('../disruption/index.js');
      return createDisruptionLoop(context);
    },
  },
  {
    name: 'ttl-controller',
    aliases: ['ttl'],
    serviceAccount: 'ttl-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createTtlLoop } = await import('../ttl/index.js');
      return createTtlLoop(context);
    },
  },
  {
    name: 'ttl-after-finished-controller',
    aliases: ['ttl-after-finished'],
    serviceAccount: 'ttl-after-finished-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createTtlAfterFinishedLoop } = await import('../ttlafterfinished/index.js');
      return createTtlAfterFinishedLoop(context);
    },
  },
  {
    name: 'kube-apiserver-serving-clustertrustbundle-publisher-controller',
    aliases: [],
    serviceAccount: 'kube-apiserver-serving-clustertrustbundle-publisher',
    enabledByDefault: true,
    needs: { group: 'certificates.k8s.io', version: 'v1beta1', resource: 'clustertrustbundles' },
    create: async (context) => {
      const { createTrustBundlePublisherLoop } = await import('../trustbundlepublisher/index.js');
      return createTrustBundlePublisherLoop(context);
    },
  },
  {
    name: 'podcertificaterequest-cleaner-controller',
    aliases: [],
    serviceAccount: 'podcertificaterequestcleaner',
    enabledByDefault: true,
    needs: { group: 'certificates.k8s.io', version: 'v1beta1', resource: 'podcertificaterequests' },
    create: async (context) => {
      const { createPodCertificateRequestCleanerLoop } = await import('../podcertificaterequestcleaner/index.js');
      return createPodCertificateRequestCleanerLoop(context);
    },
  },
  {
    name: 'storageversion-garbage-collector-controller',
    aliases: ['storage-version-gc'],
    serviceAccount: 'storage-version-garbage-collector',
    enabledByDefault: true,
    needs: { group: 'internal.apiserver.k8s.io', version: 'v1alpha1', resource: 'storageversions' },
    create: async (context) => {
      const { createStorageVersionGarbageCollector } = await import('../storageversiongc/index.js');
      return createStorageVersionGarbageCollector(context);
    },
  },
  {
    name: 'storage-version-migrator-controller',
    aliases: [],
    serviceAccount: 'storage-version-migrator-controller',
    enabledByDefault: true,
    writesInBulk: true,
    needs: { group: 'storagemigration.k8s.io', version: 'v1beta1', resource: 'storageversionmigrations' },
    create: async (context) => {
      const { createStorageVersionMigratorLoop } = await import('../storageversionmigrator/index.js');
      return createStorageVersionMigratorLoop(context);
    },
  },
];

/** The loops for a server whose clients bring their own controllers, such as one of a test: a list for `--controllers`. */
export const housekeeping: string = loops
  .filter(({ isHousekeeping }) => isHousekeeping === true)
  .map(({ name }) => name)
  .join();
