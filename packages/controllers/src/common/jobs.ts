import type { Job, JobCondition } from '@binnacle/client/kinds/batch/v1';

/** The condition that says that a Job has run to its end: `Complete` or `Failed`. */
export function finishedCondition({ status }: Job): JobCondition | undefined {
  return status?.conditions?.find(
    (condition) => (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  );
}
