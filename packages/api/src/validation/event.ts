import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { utf8Length } from '@binnacle/apimachinery/validation';
import type { Event } from '../generated/types/core-v1.js';
import { dnsSubdomain, qualifiedName, requireText } from './common.js';

/** Upstream: `legacyValidateEvent`: what holds for events of every version, on create and on update. */
const TEXT_MAXIMUM = 128;
const MESSAGE_MAXIMUM = 1024;

export function validateEvent(object: Event): FieldError[] {
  const namespace = object.metadata?.namespace ?? '';
  const errors = object.eventTime ? modern(object, namespace) : old(object, namespace);
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

function modern(object: Event, namespace: string): FieldError[] {
  const involved = object.involvedObject?.namespace ?? '';
  const { reportingComponent = '', reportingInstance = '', action = '', reason = '', message = '' } = object;
  return [
    ...(involved === '' && namespace !== 'default' && namespace !== 'kube-system' ? [mismatch(involved)] : []),
    ...(reportingComponent === '' ? [required('reportingController', '')] : []),
    ...qualifiedName(reportingComponent, 'reportingController'),
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
