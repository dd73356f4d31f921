export { ClusterState, isOf } from './cluster-state.js';
export { describeEvent, describeTime } from './describe-event.js';
export type { Author, StoreEvent } from './store-event.js';
export { StoreRecorder } from './store-recorder.js';
