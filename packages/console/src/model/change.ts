import type { Health, Row } from './row.js';

/** Something that happened to an object, for the list of changes and the time bar. */
export interface Change {
  readonly type: 'added' | 'changed' | 'gone';
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly kind: number;
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** The resourceVersion that the change made. Where that of a deletion is unknown, the last one of the object. */
  readonly version: string;
  readonly health: Health;
  /** What changed: `2/3 ready → 3/3 ready`. */
  readonly text: string;
  /** The user or the field manager; empty: unknown. */
  readonly by: string;
}

/** The change from one row of an object to the next; undefined: absent. One of the two must be present. */
export function changeOf(before: Row | undefined, after: Row | undefined, time: number): Change | undefined {
  const row = after ?? before;
  if (row === undefined) return undefined;
  const { kind, uid, name, namespace, version, health, by } = row;
  const type = before === undefined ? 'added' : after === undefined ? 'gone' : 'changed';
  const text = before !== undefined && after !== undefined ? difference(before, after) : row.text;
  return { type, time, kind, uid, name, namespace, version, health, text, by };
}

function difference(before: Row, after: Row): string {
  const parts: string[] = [];
  if (after.deleting && !before.deleting) parts.push('deletion began');
  if (after.generation !== before.generation) parts.push(`spec changed (generation ${after.generation})`);
  if (after.place !== before.place) parts.push(`on ${after.place}`);
  if (after.text !== before.text) parts.push(before.text === '' ? after.text : `${before.text} → ${after.text}`);
  return parts.join(', ');
}
