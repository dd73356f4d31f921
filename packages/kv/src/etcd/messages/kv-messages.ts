import type { KeyValue } from '../../interface/index.js';
import type { Method } from './method.js';
import { MessageReader, MessageWriter } from './wire.js';

/** More than all fixed fields of a message, with their tags and lengths. */
const OVERHEAD = 128;

export interface RangeCall {
  readonly key: Buffer;
  /** The first key after the range; absent: only `key`. */
  readonly rangeEnd?: Buffer;
  readonly limit?: number;
  /** 0 = the newest. */
  readonly revision?: number;
  readonly countOnly?: boolean;
  /** Values are empty. */
  readonly keysOnly?: boolean;
}

export interface RangeAnswer {
  readonly revision: number;
  readonly items: readonly KeyValue[];
  readonly count: number;
}

export interface TxnCall {
  readonly key: Buffer;
  readonly expectedRevision: number;
  /** The answer has the value before the write. */
  readonly withPrevious?: boolean;
  /** Absent: the key is deleted. */
  readonly value?: Uint8Array;
  readonly lease?: bigint;
  /** The states that other keys must have. */
  readonly conditions?: readonly { readonly key: Buffer; readonly expectedRevision: number }[];
}

export interface TxnAnswer {
  readonly succeeded: boolean;
  readonly revision: number;
  /** The value before the write, if the call asks for it, or the current one if a comparison failed. */
  readonly found: KeyValue | undefined;
  /** If a comparison failed: the keys of the conditions, without their values. */
  readonly others: readonly (KeyValue | undefined)[];
}

/** Upstream: etcd api/etcdserverpb/rpc.proto, also for the field numbers of all messages here. */
export const rangeMethod: Method<RangeCall, RangeAnswer> = {
  path: '/etcdserverpb.KV/Range',
  repeatable: true,
  encode: (call) => {
    const writer = new MessageWriter(call.key.length + (call.rangeEnd?.length ?? 0) + OVERHEAD);
    writeRange(writer, call);
    return writer.finish();
  },
  decode: (message) => readRange(new MessageReader(message)),
};

export const txnMethod: Method<TxnCall, TxnAnswer> = {
  path: '/etcdserverpb.KV/Txn',
  repeatable: false,
  encode: (call) => {
    const others = (call.conditions ?? []).reduce((size, { key }) => size + key.length * 2 + OVERHEAD, 0);
    const writer = new MessageWriter(call.key.length * 3 + (call.value?.length ?? 0) + others + OVERHEAD);
    writeTxn(writer, call);
    return writer.finish();
  },
  decode: readTxn,
};

/** Responds when the compacted data is gone from the disk. */
export const compactMethod: Method<number, true> = {
  path: '/etcdserverpb.KV/Compact',
  repeatable: true,
  encode: (revision) => {
    const writer = new MessageWriter(OVERHEAD);
    writer.flag(2);
    writer.integer(1, revision);
    return writer.finish();
  },
  decode: () => true,
};

function writeRange(writer: MessageWriter, call: RangeCall): void {
  const { key, rangeEnd, limit, revision, countOnly, keysOnly } = call;
  if (countOnly === true) writer.flag(9);
  if (keysOnly === true) writer.flag(8);
  if (revision !== undefined && revision > 0) writer.integer(4, revision);
  if (limit !== undefined && limit > 0) writer.integer(3, limit);
  if (rangeEnd !== undefined) writer.bytes(2, rangeEnd);
  writer.bytes(1, key);
}

/** If the mod_revisions of the key and of the conditions are the expected ones, write; else return these keys. */
function writeTxn(writer: MessageWriter, call: TxnCall): void {
  const { key, expectedRevision, withPrevious, value, lease, conditions = [] } = call;
  // A message is written from its end.
  for (const other of conditions.toReversed()) writeFailure(writer, { key: other.key, keysOnly: true });
  writeFailure(writer, { key });

  const success = writer.mark;
  if (value === undefined) {
    if (withPrevious === true) writer.flag(3);
    writer.bytes(1, key);
    writer.nest(3, success);
  } else {
    if (withPrevious === true) writer.flag(4);
    if (lease !== undefined) writer.long(3, lease);
    writer.bytes(2, value);
    writer.bytes(1, key);
    writer.nest(2, success);
  }
  writer.nest(2, success);

  for (const other of conditions.toReversed()) writeCompare(writer, other);
  writeCompare(writer, { key, expectedRevision });
}

function writeFailure(writer: MessageWriter, range: RangeCall): void {
  const failure = writer.mark;
  writeRange(writer, range);
  writer.nest(1, failure);
  writer.nest(3, failure);
}

function writeCompare(
  writer: MessageWriter,
  { key, expectedRevision }: Pick<TxnCall, 'key' | 'expectedRevision'>,
): void {
  const compare = writer.mark;
  writer.integer(6, expectedRevision);
  writer.bytes(3, key);
  writer.integer(2, COMPARE_MOD_REVISION);
  writer.nest(1, compare);
}

const COMPARE_MOD_REVISION = 2;

function readTxn(message: Buffer): TxnAnswer {
  const reader = new MessageReader(message);
  let revision = 0;
  let succeeded = false;
  const responses: (KeyValue | undefined)[] = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) revision = readRevision(reader.message());
    else if (field === 2) succeeded = reader.flag();
    else if (field === 3) responses.push(readResponse(reader.message()));
    else reader.skip();
  }
  const [found, ...others] = responses;
  return { succeeded, revision, found, others };
}

/** The only key in the response to a range, a put or a delete. */
function readResponse(reader: MessageReader): KeyValue | undefined {
  let found: KeyValue | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) found = readRange(reader.message()).items[0];
    else if (field === 2) found = readNested(reader.message(), 2);
    else if (field === 3) found = readNested(reader.message(), 3);
    else reader.skip();
  }
  return found;
}

function readNested(reader: MessageReader, wanted: number): KeyValue | undefined {
  let found: KeyValue | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === wanted) found = readKeyValue(reader.message());
    else reader.skip();
  }
  return found;
}

function readRange(reader: MessageReader): RangeAnswer {
  const items: KeyValue[] = [];
  let revision = 0;
  let count = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) revision = readRevision(reader.message());
    else if (field === 2) items.push(readKeyValue(reader.message()));
    else if (field === 4) count = reader.integer();
    else reader.skip();
  }
  return { revision, items, count };
}

const EMPTY = new Uint8Array(0);

export function readKeyValue(reader: MessageReader): KeyValue {
  let key = '';
  let value: Uint8Array = EMPTY;
  let createRevision = 0;
  let modRevision = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) key = reader.text();
    else if (field === 2) createRevision = reader.integer();
    else if (field === 3) modRevision = reader.integer();
    else if (field === 5) value = reader.bytes();
    else reader.skip();
  }
  return { key, value, createRevision, modRevision };
}

/** The first version of a key, as etcd stores it. */
export function encodeKeyValue({ key, value, createRevision, modRevision }: KeyValue): Buffer {
  const name = Buffer.from(key);
  const writer = new MessageWriter(name.length + value.length + OVERHEAD);
  writer.bytes(5, value);
  writer.integer(4, 1);
  writer.integer(3, modRevision);
  writer.integer(2, createRevision);
  writer.bytes(1, name);
  return writer.finish();
}

/** The revision in a response header. */
export function readRevision(reader: MessageReader): number {
  let revision = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 3) revision = reader.integer();
    else reader.skip();
  }
  return revision;
}
