import type { KeyValue } from '../../interface/index.js';
import { readKeyValue, readRevision } from './kv-messages.js';
import { MessageReader, MessageWriter } from './wire.js';

export const WATCH_PATH = '/etcdserverpb.Watch/Watch';

/** The `watchId` of messages for all watches of a stream, and for a watch that was rejected. */
export const ALL_WATCHES = -1;

export type WatchCall =
  | {
      readonly type: 'create';
      readonly watchId: number;
      readonly key: Buffer;
      readonly rangeEnd: Buffer;
      readonly startRevision: number;
      /** The events have the values before them. */
      readonly withPrevious?: boolean;
    }
  | { readonly type: 'cancel'; readonly watchId: number }
  | { readonly type: 'progress' };

export interface WatchedEvent {
  readonly deleted: boolean;
  /** For a delete: only key and modRevision. */
  readonly current: KeyValue;
  readonly previous: KeyValue | undefined;
}

export interface WatchAnswer {
  /** The store's revision when the answer was made. */
  readonly revision: number;
  readonly watchId: number;
  readonly created: boolean;
  readonly canceled: boolean;
  /** The oldest revision, if the watch was canceled because it began before that; otherwise 0. */
  readonly compactRevision: number;
  readonly cancelReason: string;
  /** The next answer to the same watch continues this one. */
  readonly fragment: boolean;
  readonly events: readonly WatchedEvent[];
}

export function encodeWatchCall(call: WatchCall): Buffer {
  if (call.type === 'create') return encodeCreate(call);
  const writer = new MessageWriter(32);
  const mark = writer.mark;
  if (call.type === 'cancel') writer.integer(1, call.watchId);
  writer.nest(call.type === 'cancel' ? 2 : 3, mark);
  return writer.finish();
}

function encodeCreate(call: Extract<WatchCall, { type: 'create' }>): Buffer {
  const { watchId, key, rangeEnd, startRevision, withPrevious } = call;
  const writer = new MessageWriter(key.length + rangeEnd.length + 64);
  const mark = writer.mark;
  writer.flag(8);
  writer.integer(7, watchId);
  if (withPrevious === true) writer.flag(6);
  writer.flag(4);
  writer.integer(3, startRevision);
  if (rangeEnd.length > 0) writer.bytes(2, rangeEnd);
  writer.bytes(1, key);
  writer.nest(1, mark);
  return writer.finish();
}

export function decodeWatchAnswer(message: Buffer): WatchAnswer {
  const reader = new MessageReader(message);
  const events: WatchedEvent[] = [];
  let revision = 0;
  let watchId = 0;
  let created = false;
  let canceled = false;
  let compactRevision = 0;
  let cancelReason = '';
  let fragment = false;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) revision = readRevision(reader.message());
    else if (field === 2) watchId = reader.integer();
    else if (field === 3) created = reader.flag();
    else if (field === 4) canceled = reader.flag();
    else if (field === 5) compactRevision = reader.integer();
    else if (field === 6) cancelReason = reader.text();
    else if (field === 7) fragment = reader.flag();
    else if (field === 11) events.push(readEvent(reader.message()));
    else reader.skip();
  }
  return { revision, watchId, created, canceled, compactRevision, cancelReason, fragment, events };
}

const NOTHING: KeyValue = { key: '', value: new Uint8Array(0), createRevision: 0, modRevision: 0 };

function readEvent(reader: MessageReader): WatchedEvent {
  let deleted = false;
  let current = NOTHING;
  let previous: KeyValue | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) deleted = reader.integer() === 1;
    else if (field === 2) current = readKeyValue(reader.message());
    else if (field === 3) previous = readKeyValue(reader.message());
    else reader.skip();
  }
  return { deleted, current, previous };
}
