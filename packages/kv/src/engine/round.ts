import {
  type KeyCondition,
  type KeyEvent,
  type KeyValue,
  KVError,
  type TxnRequest,
  type TxnResult,
} from '../interface/index.js';
import type { Backend, LogRecord, Pointer, Write } from './backend.js';
import { damagedKeys, orDamage, soundRecord, unlessDamaged } from './damage.js';

export interface WatchableEvent {
  readonly revision: number;
  readonly event: KeyEvent;
}

/**
 * The outcome of a group of transactions: a result for each, and the writes to commit before any result is returned.
 */
export interface Round {
  /** A KVError if the key is corrupt; that request is then rejected. */
  readonly results: readonly (TxnResult | KVError)[];
  readonly writes: readonly Write[];
  readonly events: readonly WatchableEvent[];
}

interface Current extends Pointer {
  /** Absent if it cannot be read and is to be deleted anyway. */
  readonly keyValue?: KeyValue;
  readonly expiresAt: number;
}

export const noValue = new Uint8Array(0);

/**
 * Evaluates requests in order, each against the committed state and the earlier writes of the round. Has no effect on
 * the backend. Keys expire by `now`; the records say `time`.
 */
export function evaluateRound(
  backend: Backend,
  committed: number,
  requests: readonly TxnRequest[],
  { now, time }: { readonly now: number; readonly time: number },
): Round {
  const results: (TxnResult | KVError)[] = [];
  const writes: Write[] = [];
  const events: WatchableEvent[] = [];
  const changed = new Map<string, Current | undefined>();
  const conditions = new Conditions(backend, changed);
  let revision = committed;
  for (const request of requests) {
    const { key, expectedRevision, operation, author } = request;
    const ignoreReadError = operation.type === 'delete' && operation.ignoreReadError === true;
    const current = changed.has(key) ? changed.get(key) : load(backend, key, ignoreReadError);
    if (current instanceof KVError) {
      results.push(current);
      continue;
    }
    const previous = current?.keyValue;
    if ((current?.modRevision ?? 0) !== expectedRevision) {
      results.push({ succeeded: false, revision, ...(previous === undefined ? {} : { current: previous }) });
      continue;
    }
    const unmet = conditions.unmetBy(request);
    if (unmet !== undefined) {
      results.push(unmet instanceof KVError ? unmet : failedBy(unmet, revision, previous));
      continue;
    }
    if (operation.type === 'delete' && current === undefined) {
      results.push({ succeeded: true, revision });
      continue;
    }
    revision += 1;
    const record: LogRecord = {
      type: operation.type,
      key,
      createRevision: current?.createRevision ?? revision,
      previousRevision: expectedRevision,
      expiresAt: operation.type === 'put' ? expiryTime(operation.ttlSeconds, now) : 0,
      tag: operation.type === 'put' ? (operation.tag ?? 0) : 0,
      value: operation.type === 'put' ? operation.value : noValue,
    };
    const forDeletion = operation.type === 'delete' || operation.forDeletion === true;
    const origin = { time, author };
    writes.push({ revision, record, previousExpiresAt: current?.expiresAt ?? 0, forDeletion, origin });
    events.push({ revision, event: toEvent(record, previous) });
    changed.set(key, record.type === 'put' ? currentOf(record, revision) : undefined);
    results.push(previous === undefined ? { succeeded: true, revision } : { succeeded: true, revision, previous });
  }
  return { results, writes, events };
}

/** The conditions of the requests of a round. Many requests have the same ones, so each key is looked up once. */
class Conditions {
  readonly #backend: Backend;
  readonly #changed: ReadonlyMap<string, Current | undefined>;
  readonly #committed = new Map<string, number | KVError>();

  /** `changed`: the earlier writes of the round. */
  constructor(backend: Backend, changed: ReadonlyMap<string, Current | undefined>) {
    this.#backend = backend;
    this.#changed = changed;
  }

  /** The first condition that is not met, or cannot be judged. */
  unmetBy({ conditions = [] }: TxnRequest): KeyCondition | KVError | undefined {
    for (const condition of conditions) {
      const { key, expectedRevision } = condition;
      const found = this.#changed.has(key) ? (this.#changed.get(key)?.modRevision ?? 0) : this.#committedOf(key);
      if (found instanceof KVError) return found;
      if (found !== expectedRevision) return condition;
    }
    return undefined;
  }

  #committedOf(key: string): number | KVError {
    let found = this.#committed.get(key);
    if (found === undefined) {
      found = committedRevision(this.#backend, key);
      this.#committed.set(key, found);
    }
    return found;
  }
}

function committedRevision(backend: Backend, key: string): number | KVError {
  const pointer = orDamage(() => backend.pointer(key));
  return pointer instanceof KVError ? pointer : (pointer?.modRevision ?? 0);
}

function failedBy({ key }: KeyCondition, revision: number, current: KeyValue | undefined): TxnResult {
  return { succeeded: false, revision, unmet: key, ...(current === undefined ? {} : { current }) };
}

export function toKeyValue(record: LogRecord, revision: number): KeyValue {
  const { key, value, createRevision, tag } = record;
  const modRevision = revision;
  return tag === 0 ? { key, value, createRevision, modRevision } : { key, value, createRevision, modRevision, tag };
}

export function toEvent(record: LogRecord, previous: KeyValue | undefined): KeyEvent {
  const { type, key, createRevision, value, tag } = record;
  const before = previous === undefined ? {} : { previous };
  if (type === 'delete') return { type, key, createRevision, ...before };
  return { type, key, value, createRevision, ...(tag === 0 ? {} : { tag }), ...before };
}

function currentOf(record: LogRecord, modRevision: number): Current {
  const { createRevision, expiresAt } = record;
  return { createRevision, modRevision, expiresAt, keyValue: toKeyValue(record, modRevision) };
}

/** The current value of a key. With `ignoreReadError`, also a value or an index entry that cannot be read. */
function load(backend: Backend, key: string, ignoreReadError: boolean): Current | KVError | undefined {
  const pointer = orDamage(() => backend.pointer(key));
  if (pointer instanceof KVError) {
    const own = pointer.damaged.find((each) => each.key === key);
    if (!ignoreReadError || own === undefined) return pointer;
    return { createRevision: 0, modRevision: own.revision, expiresAt: 0 };
  }
  if (pointer === undefined) return undefined;
  const record = soundRecord(backend, { key, ...pointer });
  if (record !== undefined) return currentOf(record, pointer.modRevision);
  if (!ignoreReadError) return damagedKeys([{ key, revision: pointer.modRevision }]);
  const header = unlessDamaged(() => backend.header(pointer.modRevision));
  return { ...pointer, expiresAt: header?.key === key ? header.expiresAt : 0 };
}

function expiryTime(ttlSeconds: number | undefined, now: number): number {
  if (ttlSeconds === undefined) return 0;
  return Math.min(Math.ceil(now + ttlSeconds * 1000), Number.MAX_SAFE_INTEGER);
}
