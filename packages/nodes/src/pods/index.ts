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
export { holdsOf, type KeysOf, mountProblemOf, neededSources, type Source } from './holds.js';
export { type Script, scriptOf } from './script.js';
