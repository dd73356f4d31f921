import { gatedFields, gatesUnder, type GatedFields } from './gated-fields.js';

// Upstream: `pkg/api/pod/util.go`, and the defaults of 1.36 in `pkg/features`.

const CONTAINERS = ['containers', 'initContainers', 'ephemeralContainers'];
const SOURCES = 'volumes.*.projected.sources.*';

const specGates: readonly GatedFields[] = [
  gatedFields('ClusterTrustBundleProjection', [`${SOURCES}.clusterTrustBundle`]),
  gatedFields('PodCertificateRequest', [`${SOURCES}.podCertificate`]),
  gatedFields('GenericWorkload', ['schedulingGroup']),
  gatedFields(
    'ContainerStopSignals',
    CONTAINERS.map((list) => `${list}.*.lifecycle.stopSignal`),
    true,
  ),
];

const statusGates: readonly GatedFields[] = [
  gatedFields(
    'ImageVolumeWithDigest',
    ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'].map(
      (list) => `${list}.*.volumeMounts.*.volumeStatus`,
    ),
  ),
  gatedFields('DRANodeAllocatableResources', ['nodeAllocatableResourceClaimStatuses']),
];

export const podGates: readonly GatedFields[] = [
  ...gatesUnder('spec', specGates),
  ...gatesUnder('status', statusGates),
];

/** The gates of a kind whose pod template has this path. */
export const templateGates = (template: string): readonly GatedFields[] => gatesUnder(`${template}.spec`, specGates);
