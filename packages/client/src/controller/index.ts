export { Controller } from './controller.js';
export type {
  Component,
  ControllerEnvironment,
  ControllerObserver,
  ControllerOptions,
  OwnedKind,
  ReadKind,
  Reconcile,
  ReconcileContext,
  ReconcileOptions,
  RunningController,
  WatchedKind,
} from './controller-options.js';
export {
  ControllerManager,
  type ControllerManagerOptions,
  type Leadership,
  type ManagedOptions,
} from './manager/controller-manager.js';
export { ControllerMetrics } from './manager/controller-metrics.js';
export type { ObjectChange } from './object-change.js';
export { Endpoints, type EndpointsOptions } from './manager/endpoints.js';
export type { HealthCheck } from './manager/health.js';
export { type Condition, findCondition, isConditionTrue, withCondition } from './objects/conditions.js';
export {
  ensureFinalizer,
  finalize,
  type FinalizerOptions,
  hasFinalizer,
  removeFinalizer,
} from './objects/finalizers.js';
export {
  AlreadyOwnedError,
  controllerOf,
  isControlledBy,
  type OwnerReferenceOptions,
  withControllerReference,
  withOwnerReference,
} from './objects/owner-references.js';
export {
  allOf,
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  not,
  type Predicate,
} from './predicates.js';
export { ReconcileError, TerminalError } from './reconcile-loop.js';
export type { ReconcileRequest, ReconcileResult } from './reconcile-request.js';
export { type GracePeriod, NotStoppedError, type Runnable, runTogether } from './runnable.js';
