import { duplicate, type FieldError, invalidValue, invalidWithoutValue, required } from '@binnacle/apimachinery/status';
import { semanticEqual, validateNonNegative } from '@binnacle/apimachinery/validation';
import type { Job, JobStatus } from '../../generated/types/batch-v1.js';
import { fieldNamed } from '../../table/index.js';
import { each, finalizerDomains, list } from '../common.js';
import { type GoStruct, shownStruct } from '../go-struct.js';
import { commonJobIndex, jobIndexesProblem } from './job-indexes.js';

// The status that a job's controller reports. Many rules apply only to fields that change, so that older stored
// statuses stay valid. Upstream: `ValidateJobStatusUpdate`, and the job strategy's `getStatusValidationOptions`.

const JOB_STATUS = 'io.k8s.api.batch.v1.JobStatus';
const SHOWN_UNCOUNTED: GoStruct = { Succeeded: ['succeeded', null], Failed: ['failed', null] };

export function validateJobStatusUpdate(object: Job, old: Job): FieldError[] {
  const states = new States(object, old);
  return [
    ...finalizerDomains(object),
    ...counts(object.status ?? {}),
    ...contradictions(object, states),
    ...finished(object, states),
    ...indexes(object, states),
    ...running(object, states),
    ...success(object, states),
    ...transitions(object, old, states),
  ];
}

/** Which conditions are true, and which fields change. */
class States {
  readonly complete: boolean;
  readonly failed: boolean;
  readonly failureTarget: boolean;
  readonly successCriteriaMet: boolean;
  readonly #object: Job;
  readonly #old: Job;

  constructor(object: Job, old: Job) {
    this.#object = object;
    this.#old = old;
    this.complete = holds(object, 'Complete');
    this.failed = holds(object, 'Failed');
    this.failureTarget = holds(object, 'FailureTarget');
    this.successCriteriaMet = holds(object, 'SuccessCriteriaMet');
  }

  get finished(): boolean {
    return this.complete || this.failed;
  }

  get finishedChanged(): boolean {
    return this.finished !== (holds(this.#old, 'Complete') || holds(this.#old, 'Failed'));
  }

  conditionChanged(...types: readonly string[]): boolean {
    return types.some((type) => holds(this.#object, type) !== holds(this.#old, type));
  }

  changed(...fields: readonly (keyof JobStatus)[]): boolean {
    return fields.some(
      (field) => !semanticEqual(this.#object.status?.[field], this.#old.status?.[field], fieldNamed(JOB_STATUS, field)),
    );
  }
}

function holds(job: Job, type: string, status = 'True'): boolean {
  return list(job.status?.conditions).some((condition) => condition.type === type && condition.status === status);
}

function condition(detail: string): FieldError {
  return invalidWithoutValue('status.conditions', detail);
}

function counts(status: JobStatus): FieldError[] {
  const seen = new Set<string>();
  const unique = (uids: readonly string[] | undefined, field: string): FieldError[] =>
    each(uids, field, (uid, path) => {
      if (uid === '') return [invalidValue(path, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicate(path, uid)];
      seen.add(uid);
      return [];
    });
  const uncounted = status.uncountedTerminatedPods;
  const names = ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const;
  return [
    ...names.flatMap((name) => validateNonNegative(status[name], `status.${name}`)),
    ...unique(uncounted?.succeeded, 'status.uncountedTerminatedPods.succeeded'),
    ...unique(uncounted?.failed, 'status.uncountedTerminatedPods.failed'),
  ];
}

function contradictions(job: Job, states: States): FieldError[] {
  const { startTime, completionTime } = job.status ?? {};
  const { complete, failed, failureTarget, successCriteriaMet } = states;
  const completion = 'status.completionTime';
  const errors: FieldError[] = [];
  if (states.conditionChanged('Complete', 'Failed') && complete && failed) {
    errors.push(condition('cannot set Complete=True and Failed=true conditions'));
  }
  if (states.conditionChanged('Complete', 'FailureTarget') && complete && failureTarget) {
    errors.push(condition('cannot set Complete=True and FailureTarget=true conditions'));
  }
  if (states.conditionChanged('Complete') || states.changed('completionTime')) {
    if (completionTime && !complete) {
      const detail = 'cannot set completionTime when there is no Complete=True condition';
      errors.push(invalidValue(completion, completionTime, detail));
    }
    if (!completionTime && complete) {
      errors.push(required(completion, 'completionTime is required for Complete jobs'));
    }
  }
  // Both are in UTC with whole seconds, so comparing the strings compares the times.
  if (states.changed('startTime', 'completionTime') && startTime && completionTime && completionTime < startTime) {
    errors.push(invalidValue(completion, completionTime, 'must be equal to or after `startTime`'));
  }
  if ((states.conditionChanged('Failed') || states.changed('failedIndexes')) && failed && !failureTarget) {
    errors.push(condition('cannot set Failed=True condition without the FailureTarget=true condition'));
  }
  if (states.conditionChanged('Complete', 'SuccessCriteriaMet') && complete && !successCriteriaMet) {
    errors.push(condition('cannot set Complete=True condition without the SuccessCriteriaMet=true condition'));
  }
  return errors;
}

/** A finished job has no active pods. */
function finished(job: Job, states: States): FieldError[] {
  const { active = 0, startTime, uncountedTerminatedPods: uncounted } = job.status ?? {};
  if (!states.finished) return [];
  const errors: FieldError[] = [];
  if ((states.finishedChanged || states.changed('active')) && active > 0) {
    errors.push(invalidValue('status.active', active, 'active>0 is invalid for finished job'));
  }
  const empty = job.spec?.suspend === true && job.spec.completions === 0;
  if ((states.finishedChanged || states.changed('startTime')) && !empty && !startTime) {
    errors.push(required('status.startTime', 'startTime is required for finished job'));
  }
  const left = list(uncounted?.failed).length + list(uncounted?.succeeded).length;
  if ((states.finishedChanged || states.changed('uncountedTerminatedPods')) && left > 0) {
    const shown = shownStruct(uncounted, SHOWN_UNCOUNTED);
    errors.push(invalidValue('status.uncountedTerminatedPods', shown, 'must be empty for finished job'));
  }
  return errors;
}

function indexes(job: Job, states: States): FieldError[] {
  const { completions, backoffLimitPerIndex, completionMode } = job.spec ?? {};
  const { completedIndexes: completed = '', failedIndexes: failed } = job.status ?? {};
  const completedChanged = states.changed('completedIndexes');
  const failedChanged = states.changed('failedIndexes');
  const errors: FieldError[] = [];
  const check = (name: 'completedIndexes' | 'failedIndexes', text: string, count: number): void => {
    const problem = jobIndexesProblem(text, count);
    if (problem !== undefined) errors.push(invalidValue(`status.${name}`, text, `error parsing ${name}: ${problem}`));
  };
  if (completedChanged && completions !== undefined) check('completedIndexes', completed, completions);
  if (failedChanged && completions !== undefined && backoffLimitPerIndex !== undefined && failed !== undefined) {
    check('failedIndexes', failed, completions);
  }
  if (completedChanged && completed !== '' && completionMode !== 'Indexed') {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    errors.push(invalidValue('status.completedIndexes', completed, detail));
  }
  if (failedChanged && backoffLimitPerIndex === undefined && failed !== undefined) {
    const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    errors.push(invalidValue('status.failedIndexes', failed, detail));
  }
  if ((failedChanged || completedChanged) && completions !== undefined && failed !== undefined) {
    const common = commonJobIndex(completed, failed, completions);
    const detail = `failedIndexes and completedIndexes overlap at index: ${common}`;
    if (common !== undefined) errors.push(invalidValue('status.failedIndexes', failed, detail));
  }
  return errors;
}

function running(job: Job, states: States): FieldError[] {
  const { active = 0, ready = 0, terminating = 0 } = job.status ?? {};
  const errors: FieldError[] = [];
  if ((states.finishedChanged || states.changed('terminating')) && terminating > 0 && states.finished) {
    errors.push(invalidValue('status.terminating', terminating, 'terminating>0 is invalid for finished job'));
  }
  if (states.changed('ready', 'active') && ready > active) {
    errors.push(invalidValue('status.ready', ready, 'cannot set more ready pods than active'));
  }
  return errors;
}

function success(job: Job, states: States): FieldError[] {
  const { successCriteriaMet, failed, failureTarget, complete } = states;
  const errors: FieldError[] = [];
  if (successCriteriaMet && failed) {
    errors.push(condition('cannot set SuccessCriteriaMet=True and Failed=true conditions'));
  }
  if (successCriteriaMet && failureTarget) {
    errors.push(condition('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'));
  }
  if (job.spec?.successPolicy !== undefined && !successCriteriaMet && complete) {
    errors.push(condition('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True'));
  }
  return errors;
}

function transitions(job: Job, old: Job, states: States): FieldError[] {
  const status = job.status ?? {};
  const before = old.status ?? {};
  const { completions, parallelism, completionMode } = job.spec ?? {};
  const errors = ['Failed', 'Complete', 'FailureTarget'].flatMap((type) =>
    holds(old, type) && !holds(job, type) ? [condition(`cannot disable the terminal ${type}=True condition`)] : [],
  );
  const fell = (name: 'failed' | 'succeeded'): void => {
    const value = status[name] ?? 0;
    if (value >= (before[name] ?? 0)) return;
    errors.push(invalidValue(`status.${name}`, value, `cannot decrease the ${name} counter`));
  };
  fell('failed');
  // Scaling down an elastic indexed job may lower the count of succeeded indexes.
  if (completionMode !== 'Indexed' || completions !== parallelism) fell('succeeded');
  if (status.completionTime && before.completionTime && status.completionTime !== before.completionTime) {
    errors.push(invalidValue('status.completionTime', status.completionTime, 'field is immutable'));
  }
  const resuming = holds(old, 'Suspended') && holds(job, 'Suspended', 'False');
  if (states.changed('startTime') && !resuming && before.startTime && job.spec?.suspend !== true) {
    const detail = 'field is immutable for unsuspended job once set';
    errors.push(invalidValue('status.startTime', status.startTime, detail));
  }
  const wasMet = holds(old, 'SuccessCriteriaMet');
  if (wasMet && !states.successCriteriaMet) {
    errors.push(condition('cannot disable the SuccessCriteriaMet=True condition'));
  }
  if (holds(old, 'Complete') && !wasMet && states.successCriteriaMet) {
    errors.push(condition('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'));
  }
  return errors;
}
