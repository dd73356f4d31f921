export {
  type ManagedOptions,
  ControllerManager,
  type ControllerManagerOptions,
  type Leadership,
} from './controller-manager.js';
export { type Condition, findCondition, isConditionTrue, withCondition } from './conditions.js';
export { ControllerMetrics } from './controller-metrics.js';
export { Controller } from './controller.js';
export type {
  ControllerOptions,
  OwnedKind,
  ReadKind,
  Reconcile,
  ReconcileContext,
  ReconcileOptions,
  ReconcileResult,
  WatchedKind,
} from './controller-options.js';
export type { EndpointsOptions } from './endpoints.js';
export type { Component, ControllerEnvironment } from './environment.js';
export { ensureFinalizer, finalize, type FinalizerOptions, hasFinalizer, removeFinalizer } from './finalizers.js';
export type { HealthCheck } from './health.js';
export type { ObjectChange } from './object-change.js';
export {
  AlreadyOwnedError,
  controllerOf,
  isControlledBy,
  type OwnerReferenceOptions,
  withControllerReference,
  withOwnerReference,
} from './owner-references.js';
export {
  allOf,
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  not,
  type Predicate,
} from './predicates.js';
export { ReconcileError } from './reconcile-error.js';
export type { ReconcileRequest } from './request.js';
export { type GracePeriod, NotStoppedError, runTogether } from './run-together.js';
export type { Runnable } from './runnable.js';
export { TerminalError } from './terminal-error.js';
