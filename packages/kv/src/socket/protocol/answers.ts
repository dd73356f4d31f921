import type {
  DamagedKey,
  EventBatch,
  HistoryEvent,
  HistoryPage,
  KeyValue,
  KVStatus,
  RangeResult,
  TxnResult,
} from '../../interface/index.js';
import { readFailure, writeFailure } from './failures.js';
import { FrameReader, ProtocolError } from './frame-reader.js';
import { FrameWriter } from './frame-writer.js';
import {
  KEY_BYTES,
  readAll,
  readBatch,
  readEvent,
  readKeyValue,
  sizeOfBatch,
  writeAll,
  writeBatch,
  writeEvent,
  writeKeyValue,
} from './values.js';

/**
 * What a server sends.
 *
 * - `hello`: the first message
 * - `commit`: everything that the store has committed since the last one, for all clients
 * - `batch`, `progress`, `ended`: of the watch with this id
 * - `joined`: the watch with this id has everything up to this revision, which is the one of the last `commit`; the next
 *   commits have the rest
 * - `items`: the first items of a range, whose `range` follows
 * - the others answer the request with this id
 */
export type ServerMessage =
  | { readonly type: 'hello'; readonly version: number }
  | { readonly type: 'commit'; readonly batches: readonly EventBatch[] }
  | { readonly type: 'batch'; readonly id: number; readonly batch: EventBatch }
  | { readonly type: 'progress' | 'joined'; readonly id: number; readonly revision: number }
  | { readonly type: 'revision'; readonly id: number; readonly revision: number }
  | { readonly type: 'ended' | 'failed'; readonly id: number; readonly error: unknown }
  | { readonly type: 'items'; readonly id: number; readonly items: readonly KeyValue[] }
  | { readonly type: 'range'; readonly id: number; readonly result: RangeResult }
  | { readonly type: 'txn'; readonly id: number; readonly result: TxnResult }
  | { readonly type: 'status'; readonly id: number; readonly status: KVStatus }
  | { readonly type: 'history'; readonly id: number; readonly page: HistoryPage }
  | { readonly type: 'done'; readonly id: number };

/** Their order is the protocol. */
const TYPES = [
  'hello',
  'commit',
  'batch',
  'progress',
  'joined',
  'revision',
  'ended',
  'failed',
  'items',
  'range',
  'txn',
  'status',
  'history',
  'done',
] as const satisfies readonly ServerMessage['type'][];

/** Throws a `RangeError` for a message that is longer than a frame. */
export function encodeServerMessage(message: ServerMessage): Buffer {
  const frame = new FrameWriter(sizeOf(message));
  frame.byte(TYPES.indexOf(message.type));
  if (message.type === 'hello') frame.integer(message.version);
  else if (message.type === 'commit') writeAll(frame, message.batches, writeBatch);
  else {
    frame.integer(message.id);
    writeAnswer(frame, message);
  }
  return frame.finish();
}

/** Throws {@link ProtocolError}. */
export function decodeServerMessage(body: Buffer): ServerMessage {
  const frame = new FrameReader(body);
  const type = TYPES[frame.byte()];
  if (type === undefined) throw new ProtocolError('an answer has an unknown type');
  const message = readMessage(frame, type);
  frame.end();
  return message;
}

type Answer = Exclude<ServerMessage, { readonly type: 'hello' | 'commit' }>;

function writeAnswer(frame: FrameWriter, message: Answer): void {
  switch (message.type) {
    case 'batch':
      return writeBatch(frame, message.batch);
    case 'progress':
    case 'joined':
    case 'revision':
      return frame.integer(message.revision);
    case 'ended':
    case 'failed':
      return writeFailure(frame, message.error);
    case 'items':
      return writeAll(frame, message.items, writeKeyValue);
    case 'range':
      return writeRange(frame, message.result);
    case 'txn':
      return writeTxn(frame, message.result);
    case 'status':
      frame.integer(message.status.revision);
      frame.integer(message.status.compactedRevision);
      return frame.integer(message.status.sizeBytes);
    case 'history':
      return writeHistory(frame, message.page);
    case 'done':
  }
}

function readMessage(frame: FrameReader, type: ServerMessage['type']): ServerMessage {
  if (type === 'hello') return { type, version: frame.integer() };
  if (type === 'commit') return { type, batches: readAll(frame, readBatch) };
  const id = frame.integer();
  switch (type) {
    case 'batch':
      return { type, id, batch: readBatch(frame) };
    case 'progress':
    case 'joined':
    case 'revision':
      return { type, id, revision: frame.integer() };
    case 'ended':
    case 'failed':
      return { type, id, error: readFailure(frame) };
    case 'items':
      return { type, id, items: readAll(frame, readKeyValue) };
    case 'range':
      return { type, id, result: readRange(frame) };
    case 'txn':
      return { type, id, result: readTxn(frame) };
    case 'status':
      return {
        type,
        id,
        status: { revision: frame.integer(), compactedRevision: frame.integer(), sizeBytes: frame.integer() },
      };
    case 'history':
      return { type, id, page: readHistory(frame) };
    case 'done':
      return { type, id };
  }
}

function sizeOf(message: ServerMessage): number {
  switch (message.type) {
    case 'commit':
      return message.batches.reduce((size, batch) => size + sizeOfBatch(batch), KEY_BYTES);
    case 'batch':
      return KEY_BYTES + sizeOfBatch(message.batch);
    case 'items':
      return sizeOfItems(message.items);
    case 'range':
      return sizeOfItems(message.result.items);
    default:
      return KEY_BYTES;
  }
}

export function sizeOfItems(items: readonly KeyValue[]): number {
  return items.reduce((size, { value }) => size + KEY_BYTES + value.length, KEY_BYTES);
}

function writeRange(frame: FrameWriter, { revision, items, count, more, damaged = [] }: RangeResult): void {
  frame.byte(more ? 1 : 0);
  frame.integer(revision);
  frame.integer(count);
  writeAll(frame, items, writeKeyValue);
  writeAll(frame, damaged, (to, { key, revision: of }) => {
    to.text(key);
    to.integer(of);
  });
}

function readRange(frame: FrameReader): RangeResult {
  const more = frame.byte() === 1;
  const revision = frame.integer();
  const count = frame.integer();
  const items = readAll(frame, readKeyValue);
  const damaged = readAll(frame, (from): DamagedKey => ({ key: from.text(), revision: from.integer() }));
  const result = { revision, items, count, more };
  return damaged.length === 0 ? result : { ...result, damaged };
}

const SUCCEEDED = 1;
const FOUND = 2;
const UNMET = 4;

function writeTxn(frame: FrameWriter, result: TxnResult): void {
  const found = result.succeeded ? result.previous : result.current;
  const unmet = result.succeeded ? undefined : result.unmet;
  frame.byte(
    (result.succeeded ? SUCCEEDED : 0) | (found === undefined ? 0 : FOUND) | (unmet === undefined ? 0 : UNMET),
  );
  frame.integer(result.revision);
  if (found !== undefined) writeKeyValue(frame, found);
  if (unmet !== undefined) frame.text(unmet);
}

function readTxn(frame: FrameReader): TxnResult {
  const bits = frame.byte();
  const revision = frame.integer();
  const found = (bits & FOUND) === 0 ? undefined : readKeyValue(frame);
  if ((bits & SUCCEEDED) === 0) {
    const unmet = (bits & UNMET) === 0 ? {} : { unmet: frame.text() };
    return { succeeded: false, revision, ...(found === undefined ? {} : { current: found }), ...unmet };
  }
  return found === undefined ? { succeeded: true, revision } : { succeeded: true, revision, previous: found };
}

const TIME = 1;
const AUTHOR = 2;
const FORGOTTEN = 4;
const PREVIOUS_FORGOTTEN = 8;

function writeHistory(frame: FrameWriter, { events, revision, after, next }: HistoryPage): void {
  frame.integer(revision);
  frame.integer(after);
  // A page before revision 0 does not exist.
  frame.integer(next ?? 0);
  writeAll(frame, events, (to, event) => {
    const { time, author, isForgotten, isPreviousForgotten } = event;
    const facts = (time === undefined ? 0 : TIME) | (author === undefined ? 0 : AUTHOR);
    const gone = (isForgotten === true ? FORGOTTEN : 0) | (isPreviousForgotten === true ? PREVIOUS_FORGOTTEN : 0);
    to.byte(facts | gone);
    to.integer(event.revision);
    if (time !== undefined) to.integer(time);
    if (author !== undefined) {
      to.text(author.name);
      to.text(author.mark);
    }
    writeEvent(to, event);
  });
}

function readHistory(frame: FrameReader): HistoryPage {
  const revision = frame.integer();
  const after = frame.integer();
  const next = frame.integer();
  const events = readAll(frame, readPastEvent);
  return next === 0 ? { events, revision, after } : { events, revision, after, next };
}

function readPastEvent(frame: FrameReader): HistoryEvent {
  const bits = frame.byte();
  const revision = frame.integer();
  const time = (bits & TIME) === 0 ? {} : { time: frame.integer() };
  const author = (bits & AUTHOR) === 0 ? {} : { author: { name: frame.text(), mark: frame.text() } };
  const gone = {
    ...((bits & FORGOTTEN) === 0 ? {} : { isForgotten: true as const }),
    ...((bits & PREVIOUS_FORGOTTEN) === 0 ? {} : { isPreviousForgotten: true as const }),
  };
  return { ...readEvent(frame), revision, ...time, ...author, ...gone };
}
