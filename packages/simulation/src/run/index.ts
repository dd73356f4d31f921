export { reportOf } from './report.js';
export type {
  ClusterFaults,
  ComponentContext,
  Identity,
  OwnController,
  OwnControllerContext,
} from '../cluster/index.js';
export type { Author, ClusterState, StoreEvent } from '../history/index.js';
export type { Invariant } from '../invariants/index.js';
export {
  type Action,
  type NodeChoice,
  type ObjectName,
  readScenario,
  type Scenario,
  ScenarioError,
} from '../scenario/index.js';
export {
  KEPT_EVENTS,
  simulate,
  type SimulateOptions,
  type SimulationFailure,
  type SimulationResult,
} from './simulate.js';
