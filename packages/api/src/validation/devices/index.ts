export { allocatedDeviceKey, validateResourceClaimStatusUpdate } from './claim-status.js';
export {
  validateResourceClaim,
  validateResourceClaimTemplate,
  validateResourceClaimTemplateUpdate,
  validateResourceClaimUpdate,
} from './claim.js';
export { validateDeviceClass, validateDeviceClassUpdate } from './device-class.js';
export { validateResourceSlice, validateResourceSliceUpdate } from './resource-slice.js';
