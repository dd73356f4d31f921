import { leavesOf } from '@binnacle/apimachinery/differences';
import { deepEqual, type JsonValue } from '@binnacle/apimachinery/json';

/** A version of an object, as an event of its history made it. */
export interface Version<E> {
  readonly event: E;
  /** Undefined: the event deleted the object. */
  readonly object: JsonValue | undefined;
  /** Undefined: the event created the object. */
  readonly previous: JsonValue | undefined;
  /** The server no longer has the previous value. Older versions then tell nothing. Default: false. */
  readonly isPreviousForgotten?: boolean;
}

/** A field of the newest version. */
export interface BlamedField<E> {
  readonly text: string;
  readonly value: JsonValue;
  /** The event that gave the field its value; undefined if it is older than the given versions. */
  readonly event: E | undefined;
}

/**
 * Which event set each field of the newest version. `versions`: newest first, without gaps. Takes no more versions than it
 * needs, so they may be fetched on demand.
 */
export async function blame<E>(versions: AsyncIterable<Version<E>> | Iterable<Version<E>>): Promise<BlamedField<E>[]> {
  const fields = new Map<string, { value: JsonValue; event: E | undefined }>();
  const open = new Set<string>();
  let isFirst = true;
  for await (const { event, object, previous, isPreviousForgotten = false } of versions) {
    if (isFirst) {
      isFirst = false;
      for (const [text, { value }] of leavesOf(object)) {
        fields.set(text, { value, event: undefined });
        open.add(text);
      }
    }
    if (isPreviousForgotten) break;
    const before = leavesOf(previous);
    for (const text of open) {
      const field = fields.get(text);
      const was = before.get(text);
      if (field === undefined || (was !== undefined && deepEqual(was.value, field.value))) continue;
      field.event = event;
      open.delete(text);
    }
    if (open.size === 0) break;
  }
  return Array.from(fields, ([text, { value, event }]) => ({ text, value, event }));
}
