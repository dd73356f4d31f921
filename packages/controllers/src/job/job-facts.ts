import type { Job, JobCondition } from '@binnacle/client/kinds/batch/v1';
import { findCondition, finishedCondition } from '../common/index.js';

/** The value of `spec.managedBy` that means this loop. */
const CONTROLLER_NAME = 'kubernetes.io/job-controller';

export function isFinished(job: Job): boolean {
  return finishedCondition(job) !== undefined;
}

/** Whether another controller runs the Job. */
export function isManagedByOther({ spec }: Job): boolean {
  return spec?.managedBy !== undefined && spec.managedBy !== CONTROLLER_NAME;
}

export function isIndexed({ spec }: Job): boolean {
  return spec?.completionMode === 'Indexed';
}

export function isSuspended({ spec }: Job): boolean {
  return spec?.suspend === true;
}

/** Whether a pod is replaced only when it has ended, and not as soon as its deletion begins. */
export function replacesOnlyFailedPods({ spec }: Job): boolean {
  return spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined;
}

/** 0 unless the Job has a number of completions. */
export function completionsOf({ spec }: Job): number {
  return spec?.completions ?? 0;
}

/** The condition of this type, if it is true. */
export function trueCondition({ status }: Job, type: string): JobCondition | undefined {
  const condition = findCondition(status?.conditions, type);
  return condition?.status === 'True' ? condition : undefined;
}
