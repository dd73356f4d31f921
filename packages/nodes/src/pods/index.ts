export type { PodEvent } from './pod-event.js';
export { isAdmitted, nextPodStep, type PodLook, type PodStep, type Rejection } from './pod-step.js';
export {
  type Behaviour,
  type ContainerEnd,
  type ContainerRole,
  type ContainerRunFacts,
  roleOf,
  scripted,
} from './behaviour.js';
export type { Hold } from './container-life.js';
export { timeIn } from './time-in.js';
export {
  CONFIG_ERROR,
  holdsOf,
  type KeysOf,
  mountProblemOf,
  type NeededSource,
  neededSources,
  NO_IMAGE,
} from './holds.js';
export { type Source, sourceOf, variableReferences } from './sources.js';
export { type Script, scriptOf } from './script.js';
export { type EnvironmentParts, environmentOf, fieldOf, resourceOf, variableExpander } from './environment.js';
export { containerPath } from './container-events.js';
export { containerOf, containersOf } from './containers.js';
