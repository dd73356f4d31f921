import type { JsonValue } from '@binnacle/apimachinery/json';
import type { Event } from '../generated/types/core-v1.js';
import type { Event as EventsEvent } from '../generated/types/events-v1.js';
import { nameColumn, text, wide } from './column.js';
import { nameOf, type PrintContext, printer, type PrinterEntry, timeSince } from './printer.js';

const eventColumns = [
  text('Last Seen', 'Time since it was last seen.'),
  text('Type', 'Normal or Warning.'),
  text('Reason', 'What happened, in a word for machines.'),
  text('Object', 'What it happened to.'),
  wide(text('Subobject', 'Part of the object that it happened to.')),
  wide(text('Source', 'Who reports it.')),
  text('Message', 'What happened, for people.'),
  wide(text('First Seen', 'Time since it was first seen.')),
  wide(text('Count', 'How often it was seen.')),
  wide(nameColumn),
];

/** Upstream: `printEvent`. */
function printEvent(event: Event, context: PrintContext): JsonValue[] {
  const first = timeSince(event.firstTimestamp || event.eventTime, context);
  const last = event.lastTimestamp ? timeSince(event.lastTimestamp, context) : first;
  const { series, involvedObject } = event;
  const kind = (involvedObject?.kind ?? '').toLowerCase();
  return [
    series ? timeSince(series.lastObservedTime, context) : last,
    event.type ?? '',
    event.reason ?? '',
    involvedObject?.name ? `${kind}/${involvedObject.name}` : kind,
    involvedObject?.fieldPath ?? '',
    eventSource(event),
    (event.message ?? '').trim(),
    first,
    series ? (series.count ?? 0) : event.count || 1,
    nameOf(event),
  ];
}

function eventSource(event: Event): string {
  const component = event.source?.component || event.reportingComponent || '';
  const host = event.source?.host || event.reportingInstance;
  return host ? `${component}, ${host}` : component;
}

function printEventsEvent(event: EventsEvent, context: PrintContext): JsonValue[] {
  return printEvent(
    {
      ...event,
      involvedObject: event.regarding ?? {},
      message: event.note,
      source: event.deprecatedSource,
      firstTimestamp: event.deprecatedFirstTimestamp,
      lastTimestamp: event.deprecatedLastTimestamp,
      count: event.deprecatedCount,
      reportingComponent: event.reportingController,
      metadata: event.metadata ?? {},
    },
    context,
  );
}

export const eventPrinters: readonly PrinterEntry[] = [
  printer('/Event', eventColumns, printEvent),
  printer('events.k8s.io/Event', eventColumns, printEventsEvent),
];
