export { isAdmitted, nextPodStep, type PodEvent, type PodLook, type PodStep, type Rejection } from './pod-step.js';
