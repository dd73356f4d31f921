import { type Change, changesBetween } from '@binnacle/apimachinery/differences';
import { isObject, type JsonValue, stringifyJson } from '@binnacle/apimachinery/json';
import { inert } from '../printing/index.js';
import type { BlamedField } from './blame.js';
import type { PastEvent, Writer } from './history-client.js';

/** How many changes a line names, and the length of each value in it. */
const NAMED = 3;
const LONGEST_VALUE = 40;

/** One line for an event: revision, time, writer, verb, object, what changed. */
export function eventLine(event: PastEvent): string {
  const { resourceVersion, time, writer } = event;
  const cells = [resourceVersion, time ?? '-', writerText(writer), verbText(event), objectName(event), summary(event)];
  return inert(cells.join('  '));
}

/** The event, and each changed field on a line of its own. */
export function eventText(event: PastEvent): string {
  const { writer } = event;
  const details =
    writer === undefined ? [] : [inert(`  agent ${writer.userAgent || '-'}, audit ${writer.auditID || '-'}`)];
  const forgotten = forgottenText(event);
  const changes = forgotten === '' ? changeLines(changesOf(event)) : [`  (${forgotten})`];
  return [eventLine(event), ...details, ...changes, ''].join('\n');
}

/** `-` and `+` lines, as in a diff. */
export function changeLines(changes: readonly Change[]): string[] {
  return changes.flatMap(({ text, before, after }) => [
    ...(before === undefined ? [] : [inert(`  - ${text}: ${stringifyJson(before)}`)]),
    ...(after === undefined ? [] : [inert(`  + ${text}: ${stringifyJson(after)}`)]),
  ]);
}

/** None, if a value of the event is forgotten. */
export function changesOf({ object, previous, forgotten }: PastEvent): Change[] {
  return forgotten === undefined ? changesBetween(previous, object) : [];
}

/** What the server no longer has of an event; '' if it has all. */
export function forgottenText({ forgotten, type }: PastEvent): string {
  if (forgotten === undefined) return '';
  if (type === 'ADDED' || type === 'DELETED') return 'the value is forgotten';
  if (!forgotten.object) return 'the value before it is forgotten';
  return forgotten.previous ? 'the values before and after it are forgotten' : 'the value after it is forgotten';
}

/** A table: revision, time and writer of each field, then the field and its value. */
export function blameLines(fields: readonly BlamedField<PastEvent>[]): string[] {
  const rows = fields.map(({ text, value, event }) => {
    const who = event === undefined ? ['-', 'before the history', ''] : blamedEvent(event);
    return [...who, `${text}: ${shortened(value)}`].map(inert);
  });
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function blamedEvent({ resourceVersion, time, writer }: PastEvent): string[] {
  return [resourceVersion, time ?? '-', writerText(writer)];
}

/** Kind and name of the object of an event, such as `ConfigMap default/web`, for a terminal. */
export function objectName({ object, previous, forgotten }: PastEvent): string {
  if (forgotten !== undefined) {
    const { kind, namespace, name } = forgotten.reference;
    return inert(`${kind} ${namespace === '' ? name : `${namespace}/${name}`}`);
  }
  const shown = object ?? previous ?? {};
  const metadata = isObject(shown['metadata']) ? shown['metadata'] : {};
  const { namespace, name } = metadata;
  const kind = typeof shown['kind'] === 'string' ? `${shown['kind']} ` : '';
  return inert(kind + [namespace, name].filter((part) => typeof part === 'string').join('/'));
}

function writerText(writer: Writer | undefined): string {
  if (writer === undefined) return '(server)';
  const { user, manager } = writer;
  return manager === '' || manager === user ? user : `${user} (${manager})`;
}

function verbText({ type, writer }: PastEvent): string {
  if (writer === undefined) return type.toLowerCase();
  return writer.subresource === '' ? writer.verb : `${writer.verb} ${writer.subresource}`;
}

function summary(event: PastEvent): string {
  const forgotten = forgottenText(event);
  const what = { ADDED: 'created', DELETED: 'deleted' }[event.type];
  if (what !== undefined) return forgotten === '' ? what : `${what} (${forgotten})`;
  if (forgotten !== '') return `(${forgotten})`;
  const changes = changesOf(event);
  const named = changes
    .slice(0, NAMED)
    .map(({ text, before, after }) => `${text}: ${shortened(before)} -> ${shortened(after)}`);
  const more = changes.length > NAMED ? [`${changes.length - NAMED} more`] : [];
  return [...named, ...more].join(', ');
}

function shortened(value: JsonValue | undefined): string {
  if (value === undefined) return '(none)';
  const text = stringifyJson(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 3)}...` : text;
}
