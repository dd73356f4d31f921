export type { PodEvent } from './pod-event.js';
export { isAdmitted, nextPodStep, type PodLook, type PodStep, type Rejection } from './pod-step.js';
export { timeIn } from './container-life.js';
export { type Script, scriptOf } from './script.js';
