import type { EventBatch, KeyEvent, KeyValue, StoredAs } from '../../interface/index.js';
import { type FrameReader, ProtocolError } from './frame-reader.js';
import type { FrameWriter } from './frame-writer.js';

/** Bits of the first byte of a value. */
const TAG = 1;
const OTHER = 2;
const OUTDATED = 4;
/** Further bits of an event. */
const DELETE = 8;
const VALUE = 16;
const PREVIOUS = 32;

/** An estimate of the bytes that a key, its revisions and its flags take. */
export const KEY_BYTES = 96;

export function writeKeyValue(frame: FrameWriter, item: KeyValue): void {
  frame.byte(formOf(item));
  frame.text(item.key);
  frame.bytes(item.value);
  frame.integer(item.createRevision);
  frame.integer(item.modRevision);
  if (item.tag !== undefined) frame.integer(item.tag);
}

export function readKeyValue(frame: FrameReader): KeyValue {
  const form = frame.byte();
  const key = frame.text();
  const value = frame.bytes();
  const createRevision = frame.integer();
  const modRevision = frame.integer();
  return { key, value, createRevision, modRevision, ...readForm(frame, form) };
}

export function writeEvent(frame: FrameWriter, event: KeyEvent): void {
  const { type, key, value, createRevision, previous } = event;
  const bits =
    (type === 'delete' ? DELETE : 0) | (value === undefined ? 0 : VALUE) | (previous === undefined ? 0 : PREVIOUS);
  frame.byte(formOf(event) | bits);
  frame.text(key);
  frame.integer(createRevision);
  if (value !== undefined) frame.bytes(value);
  if (event.tag !== undefined) frame.integer(event.tag);
  if (previous !== undefined) writeKeyValue(frame, previous);
}

export function readEvent(frame: FrameReader): KeyEvent {
  const bits = frame.byte();
  const type = (bits & DELETE) === 0 ? 'put' : 'delete';
  const key = frame.text();
  const createRevision = frame.integer();
  const value = (bits & VALUE) === 0 ? {} : { value: frame.bytes() };
  const form = readForm(frame, bits);
  const previous = (bits & PREVIOUS) === 0 ? {} : { previous: readKeyValue(frame) };
  return { type, key, createRevision, ...value, ...form, ...previous };
}

export function writeBatch(frame: FrameWriter, { revision, events }: EventBatch): void {
  frame.integer(revision);
  writeAll(frame, events, writeEvent);
}

export function readBatch(frame: FrameReader): EventBatch {
  return { revision: frame.integer(), events: readAll(frame, readEvent) };
}

/** About the length of a batch. */
export function sizeOfBatch({ events }: EventBatch): number {
  let size = KEY_BYTES;
  for (const { value, previous } of events) {
    size += 2 * KEY_BYTES + (value?.length ?? 0) + (previous?.value.length ?? 0);
  }
  return size;
}

export function writeAll<T>(
  frame: FrameWriter,
  items: readonly T[],
  write: (frame: FrameWriter, item: T) => void,
): void {
  frame.integer(items.length);
  for (const item of items) write(frame, item);
}

export function readAll<T>(frame: FrameReader, read: (frame: FrameReader) => T): T[] {
  const items: T[] = [];
  for (let left = frame.count(); left > 0; left -= 1) items.push(read(frame));
  return items;
}

type Form = Pick<KeyValue, 'tag' | 'storedAs'>;

function formOf({ tag, storedAs }: Form): number {
  const form = storedAs === undefined ? 0 : storedAs === 'other' ? OTHER : OUTDATED;
  return tag === undefined ? form : form | TAG;
}

function readForm(frame: FrameReader, bits: number): Form {
  const tag = (bits & TAG) === 0 ? undefined : frame.integer();
  const storedAs = storedAsOf(bits);
  return { ...(tag === undefined ? {} : { tag }), ...(storedAs === undefined ? {} : { storedAs }) };
}

function storedAsOf(bits: number): StoredAs | undefined {
  switch (bits & (OTHER | OUTDATED)) {
    case 0:
      return undefined;
    case OTHER:
      return 'other';
    case OUTDATED:
      return 'outdated';
    default:
      throw new ProtocolError('a value has two forms');
  }
}
