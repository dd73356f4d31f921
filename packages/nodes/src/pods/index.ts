export type { PodEvent } from './pod-event.js';
export { isAdmitted, nextPodStep, type PodLook, type PodStep, type Rejection } from './pod-step.js';
