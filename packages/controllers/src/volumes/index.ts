export {
  annotationOf,
  BETA_PROVISIONER,
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  hasAnnotation,
  MIGRATED_TO,
  PRE_RESIZE_CAPACITY,
  PROVISIONED_BY,
  PROVISIONER,
  SELECTED_NODE,
  withAnnotation,
  withoutAnnotation,
} from './annotations.js';
export { boundVolume, referenceTo } from './bound-volume.js';
export {
  hasAccessOf,
  hasAttributesOf,
  hasModeOf,
  isBoundTo,
  isOfClass,
  requestOf,
  selectionOf,
  sizeOf,
} from './fit.js';
export { type Candidates, candidatesOf, matchOnNode, reaches } from './match-on-node.js';
export { classNameOf, defaultClass, waitsForConsumer } from './storage-class.js';
