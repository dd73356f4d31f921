import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { utf8Length, validateImmutable } from '@binnacle/apimachinery/validation';
import type { Event } from '../../generated/types/core-v1.js';
import { dnsSubdomain, finalizerDomains, qualifiedName, requireText } from '../common.js';

// Events of the core group and the stricter ones of events.k8s.io, in the same stored form. Errors of the latter use
// the paths of upstream's internal type. Upstream: `ValidateEventCreate`, `ValidateEventUpdate`.

const TEXT_MAXIMUM = 128;
const MESSAGE_MAXIMUM = 1024;
const UNCHANGING = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  // Reported twice, like upstream.
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingController',
  'reportingInstance',
] as const;

export function validateEvent(object: Event): FieldError[] {
  return common(object, 'reportingComponent');
}

export function validateNewEvent(object: Event): FieldError[] {
  const { type = '', firstTimestamp, lastTimestamp, count = 0, source } = object;
  const unset = (given: unknown, field: string): FieldError[] =>
    given ? [invalidValue(field, '', 'needs to be unset')] : [];
  return [
    ...common(object, 'reportingController'),
    ...series(object),
    ...(object.eventTime ? [] : [required('eventTime', '')]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalidValue('type', '', `has invalid value: ${type}`)]),
    ...unset(firstTimestamp, 'firstTimestamp'),
    ...unset(lastTimestamp, 'lastTimestamp'),
    ...unset(count, 'count'),
    ...unset(source?.component || source?.host, 'source'),
  ];
}

/** Everything but the series of an event is immutable. */
export function validateNewEventUpdate(object: Event, old: Event): FieldError[] {
  const sameSeries = JSON.stringify(object.series) === JSON.stringify(old.series);
  return [
    ...finalizerDomains(object),
    ...common(object, 'reportingController'),
    ...(sameSeries ? [] : series(object)),
    ...UNCHANGING.flatMap((field) => {
      const name = field === 'reportingController' ? 'reportingComponent' : field;
      return validateImmutable(object[name], old[name], field);
    }),
  ];
}

function series(object: Event): FieldError[] {
  if (object.series === undefined) return [];
  const { count = 0, lastObservedTime } = object.series;
  return [
    ...(count < 2 ? [invalidValue('series.count', '', 'should be at least 2')] : []),
    ...(lastObservedTime ? [] : [required('series.lastObservedTime', '')]),
  ];
}

function common(object: Event, reporter: string): FieldError[] {
  const namespace = object.metadata?.namespace ?? '';
  const errors = object.eventTime ? modern(object, namespace, reporter) : old(object, namespace);
  return [...errors, ...dnsSubdomain(namespace, 'namespace')];
}

function mismatch(namespace: string): FieldError {
  return invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace');
}

function old(object: Event, namespace: string): FieldError[] {
  const involved = object.involvedObject?.namespace ?? '';
  const fits = involved === '' ? namespace === '' || namespace === 'default' : involved === namespace;
  return fits ? [] : [mismatch(involved)];
}

function modern(object: Event, namespace: string, reporter: string): FieldError[] {
  const involved = object.involvedObject?.namespace ?? '';
  const { reportingComponent = '', reportingInstance = '', action = '', reason = '', message = '' } = object;
  return [
    ...(involved === '' && namespace !== 'default' && namespace !== 'kube-system' ? [mismatch(involved)] : []),
    ...(reportingComponent === '' ? [required(reporter, '')] : []),
    ...qualifiedName(reportingComponent, reporter),
    ...bounded(reportingInstance, 'reportingInstance'),
    ...bounded(action, 'action'),
    ...bounded(reason, 'reason'),
    ...atMost(message, MESSAGE_MAXIMUM, 'message'),
  ];
}

function bounded(value: string, field: string): FieldError[] {
  return [...requireText(value, field), ...atMost(value, TEXT_MAXIMUM, field)];
}

function atMost(value: string, maximum: number, field: string): FieldError[] {
  return utf8Length(value) > maximum ? [invalidValue(field, '', `can have at most ${maximum} characters`)] : [];
}
