export { containerTotals } from './container-totals.js';
export { podQosClass } from './qos-class.js';
export {
  claimNames,
  configMapNames,
  deviceClaimNames,
  projectsToken,
  secretNames,
  volumeSecrets,
} from './references.js';
