import { CronParseError, parseSchedule } from '@binnacle/apimachinery/cron';
import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { TimeZone } from '@binnacle/apimachinery/time';
import { validateNonNegative } from '@binnacle/apimachinery/validation';
import type { CronJob, CronJobSpec } from '../../generated/types/batch-v1.js';
import { finalizerDomains, requireOneOf } from '../common.js';
import { validateJobTemplate } from './job.js';

const NAME_MAXIMUM = 52;

/** Upstream: `ValidateCronJobCreate`. A Job's name adds eleven characters to its CronJob's. */
export function validateCronJob(object: CronJob): FieldError[] {
  const name = object.metadata?.name ?? '';
  return [
    ...cronJobSpec(object.spec ?? {}, undefined),
    ...(name.length > NAME_MAXIMUM
      ? [invalidValue('metadata.name', name, `must be no more than ${NAME_MAXIMUM} characters`)]
      : []),
  ];
}

export function validateCronJobUpdate(object: CronJob, old: CronJob): FieldError[] {
  return [...finalizerDomains(object), ...cronJobSpec(object.spec ?? {}, old.spec ?? {})];
}

function cronJobSpec(spec: Partial<CronJobSpec>, old: Partial<CronJobSpec> | undefined): FieldError[] {
  const zoneChanged = old === undefined || old.timeZone !== spec.timeZone;
  return [
    ...schedule(spec, old?.schedule?.includes('TZ') === true),
    ...validateNonNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds'),
    ...(zoneChanged ? timeZone(spec.timeZone) : []),
    ...requireOneOf(spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace'], 'spec.concurrencyPolicy'),
    ...validateJobTemplate(spec.jobTemplate, 'spec.jobTemplate'),
    ...validateNonNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit'),
    ...validateNonNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit'),
  ];
}

function schedule(spec: Partial<CronJobSpec>, zoneAllowed: boolean): FieldError[] {
  const field = 'spec.schedule';
  const text = spec.schedule ?? '';
  if (text === '') return [required(field, '')];
  const problem = scheduleProblem(text);
  const errors = problem === undefined ? [] : [invalidValue(field, text, problem)];
  if (!text.includes('TZ')) return errors;
  if (!zoneAllowed) {
    const detail = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    return [...errors, invalidValue(field, text, detail)];
  }
  if (spec.timeZone === undefined) return errors;
  return [...errors, invalidValue(field, text, 'cannot use both timeZone field and TZ or CRON_TZ in schedule')];
}

/** The reason why the schedule is invalid; undefined if it is valid. */
function scheduleProblem(text: string): string | undefined {
  try {
    parseSchedule(text);
    return undefined;
  } catch (error) {
    if (error instanceof CronParseError) return error.message;
    throw error;
  }
}

function timeZone(zone: string | undefined): FieldError[] {
  const field = 'spec.timeZone';
  if (zone === undefined) return [];
  if (zone === '') return [invalidValue(field, zone, 'timeZone must be nil or non-empty string')];
  const wellFormed = zone
    .split('/')
    .every((part) => part !== '.' && part !== '..' && !part.startsWith('-') && /^[A-Za-z.\-_0-9+]{1,14}$/.test(part));
  if (!wellFormed) return [invalidValue(field, zone, `unknown time zone ${zone}`)];
  if (zone.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    // Go accepts only this spelling of `Local`.
    const unknown = zone === 'Local' ? [] : [invalidValue(field, zone, `unknown time zone ${zone}`)];
    return [invalidValue(field, zone, detail), ...unknown];
  }
  return TimeZone.of(zone) !== undefined ? [] : [invalidValue(field, zone, `unknown time zone ${zone}`)];
}
