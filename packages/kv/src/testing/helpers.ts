import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { forEachConcurrently } from '@binnacle/apimachinery/work';
import {
  type EventBatch,
  type HistoryPage,
  type HistoryRequest,
  type KV,
  KVError,
  type KVErrorCode,
  type KVSnapshot,
  type TxnResult,
  type WatchRequest,
  type WatchSink,
} from '../interface/index.js';

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function text(value: Uint8Array | undefined): string | undefined {
  return value === undefined ? undefined : new TextDecoder().decode(value);
}

export function put(kv: KV, key: string, value: string, expectedRevision = 0, ttlSeconds?: number): Promise<TxnResult> {
  const operation = { type: 'put', value: bytes(value), ...(ttlSeconds === undefined ? {} : { ttlSeconds }) } as const;
  return kv.txn({ key, expectedRevision, operation });
}

export function remove(kv: KV, key: string, expectedRevision: number): Promise<TxnResult> {
  return kv.txn({ key, expectedRevision, operation: { type: 'delete' } });
}

/** The revision of a write that must succeed. */
export async function written(result: Promise<TxnResult>): Promise<number> {
  const { succeeded, revision } = await result;
  assert.ok(succeeded, 'the comparison failed');
  return revision;
}

const WRITES_AT_ONCE = 200;

/** The results of a write for each item. Etcd gives up what waits for five seconds, so a slow machine cannot get thousands at once. */
export async function writeEach<Item, Result>(
  items: readonly Item[],
  write: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  await forEachConcurrently([...items.entries()], WRITES_AT_ONCE, async ([index, item]) => {
    results[index] = await write(item, index);
  });
  return results;
}

/** A note of an in-process store. */
export function noteOf(kv: KV, name: string): Uint8Array | undefined {
  assert.ok(kv.readNote !== undefined, 'a store in this process has notes');
  return kv.readNote(name);
}

export function writeNote(kv: KV, name: string, note: Uint8Array): Promise<void> {
  assert.ok(kv.writeNote !== undefined, 'a store in this process has notes');
  return kv.writeNote(name, note);
}

/** A fork of an in-process store. */
export function forkOf(kv: KV): KV {
  assert.ok(kv.fork !== undefined, 'a store in this process can be forked');
  return kv.fork();
}

/** A fork of an in-process store as it was. */
export function forkAt(kv: KV, revision: number): Promise<KV> {
  assert.ok(kv.forkAt !== undefined, 'a store in this process can be forked');
  return kv.forkAt(revision);
}

/** The state of an in-process store. */
export function snapshotOf(kv: KV): KVSnapshot {
  assert.ok(kv.snapshot !== undefined, 'a store in this process has snapshots');
  return kv.snapshot();
}

/** A page of the history of an in-process store. */
export async function historyOf(kv: KV, request: HistoryRequest): Promise<HistoryPage> {
  assert.ok(kv.history !== undefined, 'a store in this process has a history');
  return kv.history(request);
}

export async function revisionAt(kv: KV, time: number): Promise<number> {
  assert.ok(kv.revisionAt !== undefined, 'a store in this process knows its times');
  return kv.revisionAt(time);
}

export async function keysOf(kv: KV, prefix: string, revision?: number): Promise<string[]> {
  const { items } = await kv.range({ prefix, ...(revision === undefined ? {} : { revision }) });
  return items.map(({ key }) => key);
}

export async function rejects(promise: Promise<unknown>, code: KVErrorCode): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof KVError, `not a KVError: ${String(error)}`);
    assert.equal(error.code, code);
    assert.ok(error.message.length > 10, 'an error says something');
    return true;
  });
}

/** One line for each event: `12 put /a x (was 11 w)`. */
export function describeBatch({ revision, events }: EventBatch): string {
  return events
    .map(({ type, key, value, previous, createRevision }) => {
      const was =
        previous === undefined
          ? ''
          : ` (was ${previous.createRevision} ${previous.modRevision} ${text(previous.value)})`;
      return `${revision} ${type} ${key} ${createRevision}${value === undefined ? '' : ` ${text(value)}`}${was}`;
    })
    .join('; ');
}

/** A watch that records everything it receives. */
export class RecordingWatch implements WatchSink, Disposable {
  readonly batches: EventBatch[] = [];
  readonly calls: string[] = [];
  revision = 0;
  error: Error | undefined;
  readonly #abort = new AbortController();
  #changed: () => void = () => undefined;

  constructor(kv: KV, prefix: string, fromRevision: number, more: Pick<WatchRequest, 'withoutPrevious'> = {}) {
    kv.watch({ prefix, fromRevision, ...more }, this, this.#abort.signal);
  }

  batch(batch: EventBatch): void {
    this.batches.push(batch);
    this.#tell(`batch ${batch.revision}`, batch.revision);
  }

  progress(revision: number): void {
    this.#tell(`progress ${revision}`, revision);
  }

  ended(error: Error): void {
    this.error = error;
    this.calls.push('ended');
    this.#changed();
  }

  stop(): void {
    this.#abort.abort();
  }

  [Symbol.dispose](): void {
    this.stop();
  }

  get lines(): string[] {
    return this.batches.map(describeBatch);
  }

  async reached(revision: number): Promise<void> {
    await this.#until(() => this.revision >= revision || this.error !== undefined);
    if (this.error !== undefined) throw this.error;
  }

  async over(): Promise<Error> {
    await this.#until(() => this.error !== undefined);
    return this.error ?? new Error('the watch goes on');
  }

  #tell(call: string, revision: number): void {
    this.calls.push(call);
    this.revision = revision;
    this.#changed();
  }

  async #until(done: () => boolean): Promise<void> {
    while (!done()) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }
}

/** Waits long enough for everything that an in-process store does without waiting for a disk. */
export async function turns(count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}
