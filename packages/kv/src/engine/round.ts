import type { KeyEvent, KeyValue, TxnRequest, TxnResult } from '../interface/index.js';
import type { Backend, LogRecord, Write } from './backend.js';

export interface WatchableEvent {
  readonly revision: number;
  readonly event: KeyEvent;
}

/** What a group of transactions comes to: one result each, and what must be committed before anyone hears of it. */
export interface Round {
  readonly results: readonly TxnResult[];
  readonly writes: readonly Write[];
  readonly events: readonly WatchableEvent[];
}

interface Current {
  readonly keyValue: KeyValue;
  readonly expiresAt: number;
}

export const noValue = new Uint8Array(0);

/** Judges requests in order, each against the committed state and the writes before it in this round. Changes nothing. */
export function judge(backend: Backend, committed: number, requests: readonly TxnRequest[], now: number): Round {
  const results: TxnResult[] = [];
  const writes: Write[] = [];
  const events: WatchableEvent[] = [];
  const changed = new Map<string, Current | undefined>();
  let revision = committed;
  for (const { key, expectedRevision, operation } of requests) {
    const current = changed.has(key) ? changed.get(key) : load(backend, key);
    const previous = current?.keyValue;
    if ((previous?.modRevision ?? 0) !== expectedRevision) {
      results.push(
        previous === undefined ? { succeeded: false, revision } : { succeeded: false, revision, current: previous },
      );
      continue;
    }
    if (operation.type === 'delete' && previous === undefined) {
      results.push({ succeeded: true, revision });
      continue;
    }
    revision += 1;
    const record: LogRecord = {
      type: operation.type,
      key,
      createRevision: previous?.createRevision ?? revision,
      previousRevision: expectedRevision,
      expiresAt: operation.type === 'put' ? expiryTime(operation.ttlSeconds, now) : 0,
      tag: operation.type === 'put' ? (operation.tag ?? 0) : 0,
      value: operation.type === 'put' ? operation.value : noValue,
    };
    writes.push({ revision, record, previousExpiresAt: current?.expiresAt ?? 0 });
    events.push({ revision, event: toEvent(record, previous) });
    changed.set(
      key,
      record.type === 'put' ? { keyValue: toKeyValue(record, revision), expiresAt: record.expiresAt } : undefined,
    );
    results.push(previous === undefined ? { succeeded: true, revision } : { succeeded: true, revision, previous });
  }
  return { results, writes, events };
}

export function toKeyValue(record: LogRecord, revision: number): KeyValue {
  const { key, value, createRevision, tag } = record;
  const keyValue = { key, value, createRevision, modRevision: revision };
  return tag === 0 ? keyValue : { ...keyValue, tag };
}

export function toEvent(record: LogRecord, previous: KeyValue | undefined): KeyEvent {
  const { type, key, createRevision, value, tag } = record;
  const before = previous === undefined ? {} : { previous };
  if (type === 'delete') return { type, key, createRevision, ...before };
  return { type, key, value, createRevision, ...(tag === 0 ? {} : { tag }), ...before };
}

function load(backend: Backend, key: string): Current | undefined {
  const pointer = backend.pointer(key);
  if (pointer === undefined) return undefined;
  const record = backend.record(pointer.modRevision);
  if (record === undefined) return undefined;
  return { keyValue: toKeyValue(record, pointer.modRevision), expiresAt: record.expiresAt };
}

function expiryTime(ttlSeconds: number | undefined, now: number): number {
  if (ttlSeconds === undefined) return 0;
  return Math.min(Math.ceil(now + ttlSeconds * 1000), Number.MAX_SAFE_INTEGER);
}
