import type { CronJobSpec, Job, PodFailurePolicyOnPodConditionsPattern } from '../generated/types/batch-v1.js';
import { typeRule, type TypeRuleEntry } from './type-rule.js';
import { hasNone, isEmpty, member } from './values.js';

const unlimitedRetries = 2147483647;

/** Applies to jobs only, not to the job templates of cron jobs. */
function defaultJob(job: Job): void {
  const spec = member(job, 'spec');
  const oneShot = (spec.completions ?? undefined) === undefined && (spec.parallelism ?? undefined) === undefined;
  if (oneShot) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= (spec.backoffLimitPerIndex ?? undefined) === undefined ? 6 : unlimitedRetries;
  // Shared with the template, like upstream: labels that the server later adds to one appear in the other too.
  const labels = spec.template?.metadata?.labels;
  if (labels && !hasNone(labels)) {
    const metadata = (job.metadata ??= {});
    if (hasNone(metadata.labels)) metadata.labels = labels;
  }
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  spec.manualSelector ??= false;
}

function defaultCronJobSpec(spec: CronJobSpec): void {
  if (isEmpty(spec.concurrencyPolicy)) spec.concurrencyPolicy = 'Allow';
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
}

export const batchDefaults: readonly TypeRuleEntry[] = [
  typeRule('io.k8s.api.batch.v1.Job', defaultJob),
  typeRule('io.k8s.api.batch.v1.CronJobSpec', defaultCronJobSpec),
  typeRule(
    'io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern',
    (pattern: PodFailurePolicyOnPodConditionsPattern) => {
      if (isEmpty(pattern.status)) pattern.status = 'True';
    },
  ),
];
