import type { JsonValue } from '@binnacle/apimachinery/json';
import { formatLabelSelector } from '@binnacle/apimachinery/labels';
import type { CronJob, Job } from '../generated/types/batch-v1.js';
import { ageColumn, boolean, containerColumns, integer, nameColumn, text, wide } from './column.js';
import { containerCells } from './format.js';
import { humanDuration } from '@binnacle/apimachinery/time';
import { ageOf, nameOf, type PrintContext, printer, type PrinterEntry, timeSince } from './printer.js';

const selectorColumn = wide(text('Selector', 'Labels of the pods that belong to it.'));

function printJob(job: Job, context: PrintContext): JsonValue[] {
  const { spec } = job;
  return [
    nameOf(job),
    jobStatus(job),
    completions(job),
    jobDuration(job, context),
    ageOf(job, context),
    ...containerCells(spec?.template?.spec?.containers),
    formatLabelSelector(spec?.selector),
  ];
}

function jobStatus(job: Job): string {
  const conditions = job.status?.conditions ?? [];
  const holds = (type: string) => conditions.find((condition) => condition.type === type)?.status === 'True';
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (job.metadata?.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(holds) ?? 'Running';
}

function completions({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined && spec.completions !== null) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration({ status }: Job, context: PrintContext): string {
  if (!status?.startTime) return '';
  const end = status.completionTime ? Date.parse(status.completionTime) : context.now;
  return humanDuration(end - Date.parse(status.startTime));
}

function printCronJob(object: CronJob, context: PrintContext): JsonValue[] {
  const { spec, status } = object;
  const jobSpec = spec?.jobTemplate?.spec;
  return [
    nameOf(object),
    spec?.schedule ?? '',
    spec?.timeZone ?? '<none>',
    yesOrNo(spec?.suspend),
    (status?.active ?? []).length,
    status?.lastScheduleTime ? timeSince(status.lastScheduleTime, context) : '<none>',
    ageOf(object, context),
    ...containerCells(jobSpec?.template?.spec?.containers),
    formatLabelSelector(jobSpec?.selector),
  ];
}

function yesOrNo(value: boolean | null | undefined): string {
  if (value === undefined || value === null) return '<unset>';
  return value ? 'True' : 'False';
}

export const jobPrinters: readonly PrinterEntry[] = [
  printer(
    'batch/Job',
    [
      nameColumn,
      text('Status', 'Whether it runs, and how it ended.'),
      text('Completions', 'Pods that succeeded, of those needed.'),
      text('Duration', 'Time that it took, or takes so far.'),
      ageColumn,
      ...containerColumns,
      selectorColumn,
    ],
    printJob,
  ),
  printer(
    'batch/CronJob',
    [
      nameColumn,
      text('Schedule', 'When jobs are made, in cron notation.'),
      text('Timezone', 'Time zone of the schedule.'),
      boolean('Suspend', 'Whether no further jobs are made.'),
      integer('Active', 'Jobs that run now.'),
      text('Last Schedule', 'Time since a job was made.'),
      ageColumn,
      ...containerColumns,
      selectorColumn,
    ],
    printCronJob,
  ),
];
