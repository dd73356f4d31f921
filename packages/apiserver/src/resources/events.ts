import type { Event } from '@binnacle/api/types/core-v1';
import { validateEvent, validateNewEvent, validateNewEventUpdate } from '@binnacle/api/validation';
import { nameIsPathSegment } from '@binnacle/apimachinery/validation';
import type { Strategy } from '../registry/index.js';
import { kind } from './kind.js';

// Upstream: `pkg/registry/core/event`.

const ABOUT = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

function eventFields(event: Event): Record<string, string> {
  const { involvedObject, reportingComponent = '' } = event;
  return {
    ...Object.fromEntries(ABOUT.map((field) => [`involvedObject.${field}`, involvedObject?.[field] ?? ''])),
    reason: event.reason ?? '',
    reportingComponent,
    source: event.source?.component || reportingComponent,
    type: event.type ?? '',
  };
}

const eventPaths = ['involvedObject', 'reason', 'reportingComponent', 'source', 'type'];

/** Upstream: `pkg/apis/events/v1/conversion.go`. */
const newEventLabels: ReadonlyMap<string, string> = new Map([
  ...ABOUT.map((field) => [`regarding.${field}`, `involvedObject.${field}`] as const),
  ['reason', 'reason'],
  ['reportingController', 'reportingComponent'],
  ['type', 'type'],
]);

export const eventStrategy: Strategy = kind<Event>(
  { anyFinalizer: true, validate: validateEvent, validateUpdate: validateEvent, selectable: eventFields },
  {
    allowCreateOnUpdate: true,
    defaultDeletionPropagation: 'Unsupported',
    validateName: nameIsPathSegment,
    selectablePaths: eventPaths,
  },
);

/** Events of events.k8s.io are the same objects with stricter rules. */
export const newEventStrategy: Strategy = kind<Event>(
  { validate: validateNewEvent, validateUpdate: validateNewEventUpdate, selectable: eventFields },
  {
    allowCreateOnUpdate: true,
    defaultDeletionPropagation: 'Unsupported',
    fieldLabels: newEventLabels,
    kindInErrors: () => ({ group: '', kind: 'Event' }),
    selectablePaths: eventPaths,
  },
);
