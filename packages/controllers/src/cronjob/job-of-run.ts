import { TimeZone } from '@binnacle/apimachinery/time';
import type { CronJob, Job } from '@binnacle/client/kinds/batch/v1';
import type { ObjectReference } from '@binnacle/client/kinds/core/v1';
import { controllerReference } from '../common/index.js';

const SCHEDULED_TIMESTAMP = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** The Job of a run, with its name a lock: the same run cannot have two. Upstream: `getJobFromTemplate2`. */
export function jobOfRun(cronJob: CronJob, scheduledAt: number): Job {
  const { jobTemplate, timeZone = 'UTC' } = cronJob.spec;
  const { labels, annotations } = jobTemplate.metadata ?? {};
  const { namespace } = cronJob.metadata;
  const timestamp = TimeZone.of(timeZone)?.format(scheduledAt) ?? '';
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(cronJob, scheduledAt),
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      annotations: { ...annotations, [SCHEDULED_TIMESTAMP]: timestamp },
      ownerReferences: [controllerReference(cronJob)],
    },
    ...(jobTemplate.spec === undefined ? {} : { spec: jobTemplate.spec }),
  };
}

/** The CronJob's name and the minute of the run. */
export function jobName({ metadata: { name = '' } }: CronJob, scheduledAt: number): string {
  return `${name}-${Math.floor(scheduledAt / 60_000)}`;
}

/** For `status.active`. */
export function referenceTo({ metadata }: Job): ObjectReference {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
  return { kind: 'Job', namespace, name, uid, apiVersion: 'batch/v1', resourceVersion };
}
