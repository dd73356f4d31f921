export type { PodEvent } from './pod-event.js';
export { isAdmitted, nextPodStep, type PodLook, type PodStep, type Rejection } from './pod-step.js';
export { type Hold, timeIn } from './container-life.js';
export { holdsOf, type KeysOf, mountProblemOf, neededSources, type Source } from './holds.js';
export { type Script, scriptOf } from './script.js';
