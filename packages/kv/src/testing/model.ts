import type { HistoryEvent, KeyValue, RangeRequest, TxnRequest, TxnResult } from '../interface/index.js';
import { bytes, text } from './helpers.js';

export interface ModelEvent {
  readonly revision: number;
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly line: string;
  readonly createRevision: number;
  /** Absent for a delete. */
  readonly value?: Uint8Array;
  readonly previous: KeyValue | undefined;
}

interface Entry extends KeyValue {
  readonly expiresAt: number;
}

/** The contract in its simplest form: a copy of the whole state for every revision. */
export class ModelKV {
  readonly #states = new Map<number, ReadonlyMap<string, Entry>>();
  readonly events: ModelEvent[] = [];
  /** By prefix: up to which event former values are forgotten. */
  readonly forgotten = new Map<string, number>();
  revision: number;
  compacted = 0;

  constructor(revision: number) {
    this.revision = revision;
    this.#states.set(revision, new Map());
  }

  txn({ key, expectedRevision, operation, conditions = [] }: TxnRequest, now: number): TxnResult {
    const current = this.#newest().get(key);
    const shown = current === undefined ? undefined : plain(current);
    if ((current?.modRevision ?? 0) !== expectedRevision) {
      const { revision } = this;
      return shown === undefined ? { succeeded: false, revision } : { succeeded: false, revision, current: shown };
    }
    const unmet = conditions.find(
      (other) => (this.#newest().get(other.key)?.modRevision ?? 0) !== other.expectedRevision,
    );
    if (unmet !== undefined) {
      const failed = { succeeded: false, revision: this.revision, unmet: unmet.key } as const;
      return shown === undefined ? failed : { ...failed, current: shown };
    }
    if (operation.type === 'delete' && current === undefined) return { succeeded: true, revision: this.revision };
    const next = new Map(this.#newest());
    this.revision += 1;
    const createRevision = current?.createRevision ?? this.revision;
    let value = '';
    if (operation.type === 'delete') {
      next.delete(key);
    } else {
      const expiresAt = operation.ttlSeconds === undefined ? 0 : now + operation.ttlSeconds * 1000;
      next.set(key, { key, value: operation.value, createRevision, modRevision: this.revision, expiresAt });
      value = ` ${new TextDecoder().decode(operation.value)}`;
    }
    this.#states.set(this.revision, next);
    const was =
      current === undefined
        ? ''
        : ` (was ${current.createRevision} ${current.modRevision} ${new TextDecoder().decode(current.value)})`;
    const line = `${this.revision} ${operation.type} ${key} ${createRevision}${value}${was}`;
    const made = operation.type === 'put' ? { value: operation.value } : {};
    this.events.push({
      revision: this.revision,
      type: operation.type,
      key,
      line,
      createRevision,
      ...made,
      previous: shown,
    });
    const { revision } = this;
    return shown === undefined ? { succeeded: true, revision } : { succeeded: true, revision, previous: shown };
  }

  expire(now: number): void {
    const due = [...this.#newest().values()]
      .filter(({ expiresAt }) => expiresAt > 0 && expiresAt <= now)
      .sort((a, b) => a.expiresAt - b.expiresAt || a.modRevision - b.modRevision);
    for (const { key, modRevision } of due) {
      this.txn({ key, expectedRevision: modRevision, operation: { type: 'delete' } }, now);
    }
  }

  range({ prefix, exact, revision, limit, from, countOnly }: RangeRequest): {
    readonly items: KeyValue[];
    readonly count: number;
    readonly more: boolean;
  } {
    const state = this.#states.get(revision ?? this.revision) ?? new Map<string, Entry>();
    const found = [...state.values()]
      .filter(({ key }) => (exact === true ? key === prefix : key.startsWith(prefix)))
      .filter(({ key }) => from === undefined || Buffer.compare(bytes(key), bytes(from)) >= 0)
      .sort((a, b) => Buffer.compare(bytes(a.key), bytes(b.key)))
      .map(plain);
    if (countOnly === true) return { items: [], count: found.length, more: false };
    const items = limit === undefined || limit === 0 ? found : found.slice(0, limit);
    return { items, count: found.length, more: items.length < found.length };
  }

  forget(prefix: string, revision: number): void {
    this.forgotten.set(prefix, Math.max(this.forgotten.get(prefix) ?? 0, revision));
  }

  /** Whether a read of these keys at `revision` may need a value that the store no longer has. */
  isGone({ prefix, exact }: Pick<RangeRequest, 'prefix' | 'exact'>, revision: number): boolean {
    const forgotten = [...this.forgotten].some(([own, oldest]) => {
      return revision < oldest && (prefix.startsWith(own) || (exact !== true && own.startsWith(prefix)));
    });
    return forgotten || revision < this.compacted;
  }

  /** The events that the history has under a prefix, newest first, as lines. */
  history(prefix: string): string[] {
    const isForgotten = (key: string, supersededAt: number): boolean =>
      [...this.forgotten].some(([own, revision]) => key.startsWith(own) && supersededAt <= revision);
    const superseded = new Map<number, number>();
    for (const { revision, previous } of this.events) if (previous) superseded.set(previous.modRevision, revision);
    return this.events
      .filter(({ revision, key }) => revision > this.compacted && key.startsWith(prefix))
      .map(({ revision, key, value, previous, ...event }) => {
        const end = superseded.get(revision);
        const isGone = value !== undefined && end !== undefined && isForgotten(key, end);
        const isPreviousGone = previous !== undefined && isForgotten(key, revision);
        return historyLine({
          ...event,
          key,
          revision,
          ...(value === undefined || isGone ? {} : { value }),
          ...(previous === undefined || isPreviousGone ? {} : { previous }),
          ...(isGone ? { isForgotten: true } : {}),
          ...(isPreviousGone ? { isPreviousForgotten: true } : {}),
        });
      })
      .reverse();
  }

  modRevision(key: string): number {
    return this.#newest().get(key)?.modRevision ?? 0;
  }

  #newest(): ReadonlyMap<string, Entry> {
    return this.#states.get(this.revision) ?? new Map<string, Entry>();
  }
}

type Told = Omit<HistoryEvent, 'time' | 'author' | 'tag'>;

export function historyLine({ revision, type, key, createRevision, ...event }: Told): string {
  const value = event.isForgotten === true ? 'forgotten' : (text(event.value) ?? '-');
  const { previous } = event;
  const was = previous && `${text(previous.value)} @${previous.modRevision}`;
  return `${revision} ${type} ${key} ${createRevision} ${value}, was ${event.isPreviousForgotten === true ? 'forgotten' : (was ?? '-')}`;
}

function plain({ key, value, createRevision, modRevision }: Entry): KeyValue {
  return { key, value, createRevision, modRevision };
}
