export { certificateRequest, type RequestedNames } from './certificate-request.js';
export {
  anyFaults,
  faultCases,
  type History,
  type HistoryOptions,
  isFaultless,
  playHistories,
} from './histories/index.js';
export { randomRuns } from './random-runs.js';
export { runLoop, type RunningLoop } from './run-loop.js';
export {
  bindPod,
  finishPod,
  type NodeBehaviour,
  type PodActor,
  removePod,
  runPod,
  Simulation,
  type SimulationFaults,
  type SimulationOptions,
} from './simulation/index.js';
export { anyHistory, playHistory, ServiceCluster } from './services/index.js';
