export { podAffinityTerms, preferredTerm } from './affinity-terms.js';
export { APP_ARMOR_ANNOTATION, APP_ARMOR_LOCALHOST, appArmorProfileOf } from './app-armor.js';
export { containerTotals } from './container-totals.js';
export { type HostPort, hostPortsOf, TakenPorts } from './host-ports.js';
export { isLatestImage, withDefaultHost } from './image-reference.js';
export { driverOfPlugin, type Migration, migrationOf } from './migrated-volumes.js';
export { isMirrorPod, MIRROR_ANNOTATION } from './mirror-pod.js';
export { fitsAffinity, matchesNodeTerm } from './node-affinity.js';
export { objectAt, templateField, templateResources } from './pod-template.js';
export { podQosClass } from './qos-class.js';
export {
  claimName,
  claimNames,
  configMapNames,
  deviceClaimNames,
  firstObjectReference,
  projectsToken,
  secretNames,
  volumeSecrets,
} from './references.js';
export { tolerates, Tolerations } from './taints.js';
