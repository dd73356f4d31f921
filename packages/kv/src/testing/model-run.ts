import assert from 'node:assert/strict';
import { type Clock, VirtualClock } from '@binnacle/apimachinery/clock';
import type { KV, RangeRequest, TxnRequest } from '../interface/index.js';
import { bytes, rejects, remove, RecordingWatch } from './helpers.js';
import type { KVSuiteFeatures, OpenKV } from './kv-under-test.js';
import { historyLine, ModelKV } from './model.js';

const KEYS = ['/m/', '/m/a', '/m/a/b', '/m/aé', '/m/b', '/m/\ue000', '/m/\u{10000}', '/n/a', '/n/a\0b'];
/** Makes values long enough to be stored as differences. */
const PADDING = 'x'.repeat(60);
const PREFIXES = ['/', '/m/', '/m/a', '/n/', '/m/\ue000', '/zzz'];

type Step =
  | {
      readonly type: 'txn';
      readonly txns: readonly {
        key: string;
        fresh: boolean;
        delete: boolean;
        ttl: number | undefined;
        condition: { key: string; fresh: boolean } | undefined;
      }[];
    }
  | { readonly type: 'range'; readonly request: Omit<RangeRequest, 'revision'>; readonly age: number }
  | { readonly type: 'watch'; readonly prefix: string; readonly age: number }
  | { readonly type: 'compact'; readonly age: number }
  | { readonly type: 'forget'; readonly prefix: string; readonly age: number }
  | { readonly type: 'history'; readonly prefix: string }
  | { readonly type: 'advance'; readonly seconds: number }
  | { readonly type: 'restart' };

/** Decisions taken from a sequence of numbers. When none is left, all further ones are 0. */
class Choices {
  readonly #numbers: readonly number[];
  #next = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  get left(): boolean {
    return this.#next < this.#numbers.length;
  }

  below(limit: number): number {
    const chosen = (this.#numbers[this.#next] ?? 0) % limit;
    this.#next += 1;
    return chosen;
  }

  of<T>(first: T, ...others: readonly T[]): T {
    return others[this.below(others.length + 1) - 1] ?? first;
  }
}

function chooseStep(choices: Choices, manualClock: boolean, restarts: boolean): Step {
  const kind = choices.below(16 + (manualClock ? 1 : 0) + (restarts ? 1 : 0));
  if (kind < 6) {
    const txns = Array.from({ length: 1 + choices.below(6) }, () => ({
      key: choices.of('/m/', ...KEYS),
      fresh: choices.below(3) > 0,
      delete: choices.below(3) === 2,
      ttl: manualClock && choices.below(2) === 1 ? 1 + choices.below(30) : undefined,
      condition: choices.below(4) === 3 ? { key: choices.of('/m/', ...KEYS), fresh: choices.below(4) > 0 } : undefined,
    }));
    return { type: 'txn', txns };
  }
  const age = choices.below(13);
  if (kind < 10) return { type: 'range', age, request: chooseRange(choices) };
  if (kind < 12) return { type: 'watch', age, prefix: choices.of('', ...PREFIXES) };
  if (kind < 13) return { type: 'compact', age };
  if (kind < 15) return { type: 'forget', age, prefix: choices.of('/', ...PREFIXES) };
  if (kind < 16) return { type: 'history', prefix: choices.of('', ...PREFIXES) };
  if (kind === 17 || !manualClock) return { type: 'restart' };
  return { type: 'advance', seconds: 1 + choices.below(20) };
}

function chooseRange(choices: Choices): RangeRequest {
  return {
    prefix: choices.of('', ...PREFIXES, ...KEYS),
    ...(choices.below(3) === 2 ? { exact: true } : {}),
    ...(choices.below(2) === 1 ? { limit: choices.below(5) } : {}),
    ...(choices.below(3) === 2 ? { from: choices.of('/', ...KEYS) } : {}),
    ...(choices.below(5) === 4 ? { countOnly: true } : {}),
  };
}

export interface ModelRunOptions extends KVSuiteFeatures {
  /** Closes the store and opens it again. Default: it stays open. */
  readonly reopen?: (kv: KV, clock: Clock) => Promise<KV>;
}

class Comparison implements AsyncDisposable {
  #kv: KV;
  readonly #reopen: ModelRunOptions['reopen'];
  readonly #model: ModelKV;
  readonly #clock: VirtualClock;
  readonly #base: number;
  readonly #local: boolean;
  #values = 0;

  constructor(kv: KV, base: number, clock: VirtualClock, { local = true, reopen }: ModelRunOptions) {
    this.#kv = kv;
    this.#base = base;
    this.#local = local;
    this.#reopen = reopen;
    this.#model = new ModelKV(base);
    this.#clock = clock;
  }

  async run(step: Step): Promise<void> {
    const revision = 'age' in step ? Math.max(this.#model.revision - step.age, this.#base) : 0;
    switch (step.type) {
      case 'txn':
        return this.#transact(step.txns);
      case 'range':
        return this.#range({ ...step.request, revision });
      case 'watch':
        return this.#watch(step.prefix, revision);
      case 'compact':
        await this.#kv.compact(revision);
        this.#model.compacted = Math.max(this.#model.compacted, revision);
        return;
      case 'forget':
        return this.#forget(step.prefix, revision);
      case 'history':
        return this.#history(step.prefix);
      case 'restart':
        this.#kv = (await this.#reopen?.(this.#kv, this.#clock)) ?? this.#kv;
        return;
      case 'advance':
        this.#clock.skip(step.seconds * 1000);
        this.#model.expire(this.#clock.now());
        // The first call finds the deadlines; the second waits in the queue behind their deletes.
        await this.#kv.currentRevision();
        await remove(this.#kv, '/absent', 0);
        return;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#kv.close();
  }

  async #transact(txns: Extract<Step, { type: 'txn' }>['txns']): Promise<void> {
    const expected = [];
    const pending = [];
    for (const { key: name, fresh, delete: deletes, ttl, condition } of txns) {
      this.#values += 1;
      const put = {
        type: 'put' as const,
        value: bytes(`v${this.#values} ${PADDING}`),
        ...(ttl === undefined ? {} : { ttlSeconds: ttl }),
      };
      const request: TxnRequest = {
        key: name,
        expectedRevision: this.#expected(name, fresh),
        operation: deletes ? { type: 'delete' } : put,
        ...(condition === undefined
          ? {}
          : {
              conditions: [{ key: condition.key, expectedRevision: this.#expected(condition.key, condition.fresh) }],
            }),
      };
      expected.push(this.#model.txn(request, this.#clock.now()));
      const result = this.#kv.txn(request);
      // In a remote store, calls on different keys may overtake each other.
      if (!this.#local) await result;
      pending.push(result);
    }
    assert.deepEqual(plain(await Promise.all(pending)), plain(expected));
    assert.equal(await this.#kv.currentRevision(), this.#model.revision);
  }

  #expected(key: string, fresh: boolean): number {
    return fresh ? this.#model.modRevision(key) : 0;
  }

  async #range(request: RangeRequest & { readonly revision: number }): Promise<void> {
    if (this.#model.isGone(request, request.revision)) return rejects(this.#kv.range(request), 'compacted');
    const { revision, ...found } = await this.#kv.range(request);
    assert.equal(revision, this.#model.revision);
    assert.deepEqual(plain(found), plain(this.#model.range(request)));
  }

  async #forget(prefix: string, revision: number): Promise<void> {
    if (this.#kv.forgetValues === undefined) return;
    await this.#kv.forgetValues(prefix, revision);
    this.#model.forget(prefix, revision);
  }

  async #history(prefix: string): Promise<void> {
    if (this.#kv.history === undefined) return;
    const found: string[] = [];
    let before: number | undefined;
    do {
      const page = await this.#kv.history({ prefix, limit: 20, ...(before === undefined ? {} : { before }) });
      found.push(...page.events.map(historyLine));
      before = page.next;
    } while (before !== undefined);
    assert.deepEqual(found, this.#model.history(prefix));
  }

  async #watch(prefix: string, fromRevision: number): Promise<void> {
    using watching = new RecordingWatch(this.#kv, prefix, fromRevision);
    if (this.#model.isGone({ prefix }, fromRevision)) {
      assert.match(String(await watching.over()), /compacted|forgotten/);
      return;
    }
    const expected = this.#model.events.filter(
      ({ revision, key: name }) => revision > fromRevision && name.startsWith(prefix),
    );
    const last = expected.at(-1);
    if (last !== undefined) await watching.reached(last.revision);
    assert.deepEqual(
      watching.lines,
      expected.map(({ line }) => line),
    );
  }
}

/** Values as text, so that a Buffer equals a Uint8Array and differences are readable. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) => {
      if (part instanceof Uint8Array) return new TextDecoder().decode(part);
      if (
        typeof part === 'object' &&
        part !== null &&
        'type' in part &&
        part.type === 'Buffer' &&
        'data' in part &&
        Array.isArray(part.data)
      ) {
        return Buffer.from(part.data).toString();
      }
      return part;
    }),
  );
}

/**
 * Runs the operations that the numbers encode against a fresh store and against the naive model, and throws if they
 * differ. For property tests: any numbers are valid, and fewer or smaller ones give a simpler run.
 */
export async function agreeWithModel(
  open: OpenKV,
  numbers: readonly number[],
  options: ModelRunOptions = {},
): Promise<void> {
  const { manualClock = true, reopen } = options;
  const clock = new VirtualClock();
  const kv = await open({ clock });
  await using comparison = new Comparison(kv, await kv.currentRevision(), clock, options);
  const choices = new Choices(numbers);
  while (choices.left) await comparison.run(chooseStep(choices, manualClock, reopen !== undefined));
}
