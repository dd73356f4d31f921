export { allocatedDeviceKey, validateResourceClaimStatusUpdate } from './claim-status.js';
export {
  validateResourceClaim,
  validateResourceClaimTemplate,
  validateResourceClaimTemplateUpdate,
  validateResourceClaimUpdate,
} from './claim.js';
export { validateDeviceClass, validateDeviceClassUpdate } from './device-class.js';
export { DEVICE_ENVIRONMENT, DEVICE_SELECTOR_COST } from './device-expression.js';
export { validateResourceSlice, validateResourceSliceUpdate } from './resource-slice.js';
