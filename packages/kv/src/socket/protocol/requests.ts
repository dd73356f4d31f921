import type {
  Author,
  DeleteOperation,
  HistoryRequest,
  KeyCondition,
  PutOperation,
  RangeRequest,
  TxnRequest,
  WatchRequest,
} from '../../interface/index.js';
import { FrameReader, ProtocolError } from './frame-reader.js';
import { FrameWriter } from './frame-writer.js';
import { MAX_REQUEST_BYTES } from './limits.js';
import { KEY_BYTES, readAll, writeAll } from './values.js';

/** What a client asks. An answer carries the same id. `cancel` ends the watch, or the read, with this id. */
export type ClientMessage = { readonly id: number } & (
  | { readonly type: 'range'; readonly request: RangeRequest }
  | { readonly type: 'txn'; readonly request: TxnRequest }
  | { readonly type: 'watch'; readonly request: WatchRequest }
  | { readonly type: 'history'; readonly request: HistoryRequest }
  | { readonly type: 'compact'; readonly revision: number }
  | { readonly type: 'revision-at'; readonly time: number }
  | { readonly type: 'revision' | 'status' | 'health' }
  | { readonly type: 'cancel' }
);

/** Their order is the protocol. */
const TYPES = [
  'range',
  'txn',
  'watch',
  'history',
  'compact',
  'revision-at',
  'revision',
  'status',
  'health',
  'cancel',
] as const satisfies readonly ClientMessage['type'][];

/** Throws a `RangeError` for a message that is longer than {@link MAX_REQUEST_BYTES}. */
export function encodeClientMessage(message: ClientMessage): Buffer {
  const frame = new FrameWriter(sizeOf(message));
  frame.byte(TYPES.indexOf(message.type));
  frame.integer(message.id);
  switch (message.type) {
    case 'range':
      writeRange(frame, message.request);
      break;
    case 'txn':
      writeTxn(frame, message.request);
      break;
    case 'watch':
      writeWatch(frame, message.request);
      break;
    case 'history':
      writeHistory(frame, message.request);
      break;
    case 'compact':
      frame.integer(message.revision);
      break;
    case 'revision-at':
      frame.float(message.time);
      break;
    case 'revision':
    case 'status':
    case 'health':
    case 'cancel':
      break;
  }
  return frame.finish(MAX_REQUEST_BYTES);
}

/** Throws {@link ProtocolError}. */
export function decodeClientMessage(body: Buffer): ClientMessage {
  const frame = new FrameReader(body);
  const type = TYPES[frame.byte()];
  if (type === undefined) throw new ProtocolError('a request has an unknown type');
  const message = readMessage(frame, type, frame.integer());
  frame.end();
  return message;
}

function readMessage(frame: FrameReader, type: ClientMessage['type'], id: number): ClientMessage {
  switch (type) {
    case 'range':
      return { type, id, request: readRange(frame) };
    case 'txn':
      return { type, id, request: readTxn(frame) };
    case 'watch':
      return { type, id, request: readWatch(frame) };
    case 'history':
      return { type, id, request: readHistory(frame) };
    case 'compact':
      return { type, id, revision: frame.integer() };
    case 'revision-at':
      return { type, id, time: frame.float() };
    case 'revision':
    case 'status':
    case 'health':
    case 'cancel':
      return { type, id };
  }
}

function sizeOf(message: ClientMessage): number {
  if (message.type !== 'txn') return KEY_BYTES;
  const { operation, conditions = [] } = message.request;
  const keys = KEY_BYTES * (1 + conditions.length);
  return operation.type === 'delete' ? keys : keys + KEY_BYTES + operation.value.length;
}

// Flags of a range, in its first byte.
const EXACT = 1;
const REVISION = 2;
const LIMIT = 4;
const FROM = 8;
const COUNT_ONLY = 16;
const KEYS_ONLY = 32;
const UNCOUNTED = 64;
const DAMAGED = 128;

function writeRange(frame: FrameWriter, request: RangeRequest): void {
  const { prefix, exact, revision, limit, from, countOnly, keysOnly, uncounted, damaged } = request;
  frame.byte(
    (exact === true ? EXACT : 0) |
      (revision === undefined ? 0 : REVISION) |
      (limit === undefined ? 0 : LIMIT) |
      (from === undefined ? 0 : FROM) |
      (countOnly === true ? COUNT_ONLY : 0) |
      (keysOnly === true ? KEYS_ONLY : 0) |
      (uncounted === true ? UNCOUNTED : 0) |
      (damaged === undefined ? 0 : DAMAGED),
  );
  frame.text(prefix);
  if (revision !== undefined) frame.integer(revision);
  if (limit !== undefined) frame.integer(limit);
  if (from !== undefined) frame.text(from);
}

function readRange(frame: FrameReader): RangeRequest {
  const bits = frame.byte();
  return {
    prefix: frame.text(),
    ...((bits & EXACT) === 0 ? {} : { exact: true }),
    ...((bits & REVISION) === 0 ? {} : { revision: frame.integer() }),
    ...((bits & LIMIT) === 0 ? {} : { limit: frame.integer() }),
    ...((bits & FROM) === 0 ? {} : { from: frame.text() }),
    ...((bits & COUNT_ONLY) === 0 ? {} : { countOnly: true }),
    ...((bits & KEYS_ONLY) === 0 ? {} : { keysOnly: true }),
    ...((bits & UNCOUNTED) === 0 ? {} : { uncounted: true }),
    ...((bits & DAMAGED) === 0 ? {} : { damaged: 'report' as const }),
  };
}

// Flags of a transaction.
const DELETE = 1;
const IGNORE_READ_ERROR = 2;
const FOR_DELETION = 4;
const TTL = 8;
const TAG = 16;
const AUTHOR = 32;
const CONDITIONS = 64;

function writeTxn(frame: FrameWriter, { key, expectedRevision, operation, conditions, author }: TxnRequest): void {
  frame.byte(
    operationBits(operation) | (author === undefined ? 0 : AUTHOR) | (conditions === undefined ? 0 : CONDITIONS),
  );
  writeCondition(frame, { key, expectedRevision });
  if (operation.type === 'put') {
    frame.bytes(operation.value);
    if (operation.ttlSeconds !== undefined) frame.float(operation.ttlSeconds);
    if (operation.tag !== undefined) frame.integer(operation.tag);
  }
  if (conditions !== undefined) writeAll(frame, conditions, writeCondition);
  if (author === undefined) return;
  frame.text(author.name);
  frame.text(author.mark);
}

function writeCondition(frame: FrameWriter, { key, expectedRevision }: KeyCondition): void {
  frame.text(key);
  frame.integer(expectedRevision);
}

function readCondition(frame: FrameReader): KeyCondition {
  return { key: frame.text(), expectedRevision: frame.integer() };
}

function operationBits(operation: TxnRequest['operation']): number {
  if (operation.type === 'delete') return DELETE | (operation.ignoreReadError === true ? IGNORE_READ_ERROR : 0);
  const { forDeletion, ttlSeconds, tag } = operation;
  return (
    (forDeletion === true ? FOR_DELETION : 0) | (ttlSeconds === undefined ? 0 : TTL) | (tag === undefined ? 0 : TAG)
  );
}

function readTxn(frame: FrameReader): TxnRequest {
  const bits = frame.byte();
  const written = readCondition(frame);
  const operation = (bits & DELETE) === 0 ? readPut(frame, bits) : readDelete(bits);
  const conditions = (bits & CONDITIONS) === 0 ? {} : { conditions: readAll(frame, readCondition) };
  if ((bits & AUTHOR) === 0) return { ...written, operation, ...conditions };
  const author: Author = { name: frame.text(), mark: frame.text() };
  return { ...written, operation, ...conditions, author };
}

function readPut(frame: FrameReader, bits: number): PutOperation {
  return {
    type: 'put',
    value: frame.bytes(),
    ...((bits & FOR_DELETION) === 0 ? {} : { forDeletion: true as const }),
    ...((bits & TTL) === 0 ? {} : { ttlSeconds: frame.float() }),
    ...((bits & TAG) === 0 ? {} : { tag: frame.integer() }),
  };
}

function readDelete(bits: number): DeleteOperation {
  return (bits & IGNORE_READ_ERROR) === 0 ? { type: 'delete' } : { type: 'delete', ignoreReadError: true };
}

function writeWatch(frame: FrameWriter, { prefix, fromRevision, withoutPrevious }: WatchRequest): void {
  frame.byte(withoutPrevious === true ? 1 : 0);
  frame.text(prefix);
  frame.integer(fromRevision);
}

function readWatch(frame: FrameReader): WatchRequest {
  const withoutPrevious = frame.byte() === 1;
  const request = { prefix: frame.text(), fromRevision: frame.integer() };
  return withoutPrevious ? { ...request, withoutPrevious } : request;
}

// Flags of a read of the history, beside EXACT.
const BEFORE = 2;
const AFTER = 4;

function writeHistory(frame: FrameWriter, { prefix, exact, before, after, limit }: HistoryRequest): void {
  frame.byte((exact === true ? EXACT : 0) | (before === undefined ? 0 : BEFORE) | (after === undefined ? 0 : AFTER));
  frame.text(prefix);
  frame.integer(limit);
  if (before !== undefined) frame.integer(before);
  if (after !== undefined) frame.integer(after);
}

function readHistory(frame: FrameReader): HistoryRequest {
  const bits = frame.byte();
  return {
    prefix: frame.text(),
    limit: frame.integer(),
    ...((bits & EXACT) === 0 ? {} : { exact: true }),
    ...((bits & BEFORE) === 0 ? {} : { before: frame.integer() }),
    ...((bits & AFTER) === 0 ? {} : { after: frame.integer() }),
  };
}
