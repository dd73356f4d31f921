export {
  attemptOf,
  nodeObject,
  nodeState,
  type NodeTraits,
  podFacts,
  podObject,
  type PodTraits,
  snapshotOf,
  type SnapshotTraits,
} from './builders.js';
export {
  deviceClassObject,
  deviceRequest,
  devicesOf,
  DRIVER,
  noDevices,
  resourceClaim,
  sliceObject,
} from './devices.js';
export {
  claimObject,
  classObject,
  csiNodeObject,
  idleBinder,
  type StorageTraits,
  volumeObject,
  withClaim,
} from './storage.js';
export { answersOf, finishWithoutWaiting, scoresOf } from './run-plugin.js';
