import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { KV, RangeRequest, TxnRequest } from '../interface/index.js';
import { ManualClock } from './clock.js';
import { bytes, rejects, remove, Watching } from './helpers.js';
import type { OpenKV } from './kv-suite.js';
import { ModelKV } from './model.js';

const KEYS = ['/m/', '/m/a', '/m/a/b', '/m/aé', '/m/b', '/m/\ue000', '/m/\u{10000}', '/n/a', '/n/a\0b'];
const PREFIXES = ['/', '/m/', '/m/a', '/n/', '/m/\ue000', '/zzz'];

type Step =
  | { readonly type: 'txn'; readonly txns: readonly { key: string; fresh: boolean; delete: boolean; ttl: number | undefined }[] }
  | { readonly type: 'range'; readonly request: Omit<RangeRequest, 'revision'>; readonly age: number }
  | { readonly type: 'watch'; readonly prefix: string; readonly age: number }
  | { readonly type: 'compact'; readonly age: number }
  | { readonly type: 'advance'; readonly seconds: number };

const key = fc.constantFrom(...KEYS);
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

function steps(manualClock: boolean): fc.Arbitrary<Step[]> {
  const ttl = manualClock ? optional(fc.integer({ min: 1, max: 30 })) : fc.constant(undefined);
  const txn = fc.record({ key, fresh: fc.boolean(), delete: fc.boolean(), ttl });
  const age = fc.nat({ max: 12 });
  const request = fc
    .record({
      prefix: fc.oneof(key, fc.constantFrom(...PREFIXES)),
      exact: optional(fc.boolean()),
      limit: optional(fc.nat({ max: 4 })),
      from: optional(key),
      countOnly: optional(fc.boolean()),
    })
    .map(({ prefix, ...rest }) => ({ prefix, ...withoutUndefined(rest) }));
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ type: fc.constant('txn' as const), txns: fc.array(txn, { minLength: 1, maxLength: 6 }) }) },
    { weight: 4, arbitrary: fc.record({ type: fc.constant('range' as const), request, age }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('watch' as const), prefix: fc.constantFrom(...PREFIXES), age }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('compact' as const), age }) },
    ...(manualClock
      ? [{ weight: 1, arbitrary: fc.record({ type: fc.constant('advance' as const), seconds: fc.integer({ min: 1, max: 20 }) }) }]
      : []),
  );
  return fc.array(step, { minLength: 5, maxLength: 40 });
}

function withoutUndefined(request: { [Name in keyof RangeRequest]?: RangeRequest[Name] | undefined }): Partial<RangeRequest> {
  const { exact, limit, from, countOnly } = request;
  return {
    ...(exact === undefined ? {} : { exact }),
    ...(limit === undefined ? {} : { limit }),
    ...(from === undefined ? {} : { from }),
    ...(countOnly === undefined ? {} : { countOnly }),
  };
}

class Comparison {
  readonly #kv: KV;
  readonly #model: ModelKV;
  readonly #clock: ManualClock;
  readonly #base: number;
  #values = 0;

  constructor(kv: KV, base: number, clock: ManualClock) {
    this.#kv = kv;
    this.#base = base;
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
      case 'advance':
        this.#clock.advance(step.seconds);
        this.#model.expire(this.#clock.now());
        // The first call finds the deadlines, and the second waits in the same queue behind their deletes.
        await this.#kv.currentRevision();
        await remove(this.#kv, '/absent', 0);
        return;
    }
  }

  async #transact(txns: Extract<Step, { type: 'txn' }>['txns']): Promise<void> {
    const expected = [];
    const pending = [];
    for (const { key: name, fresh, delete: deletes, ttl } of txns) {
      this.#values += 1;
      const put = { type: 'put' as const, value: bytes(`v${this.#values}`), ...(ttl === undefined ? {} : { ttlSeconds: ttl }) };
      const request: TxnRequest = {
        key: name,
        expectedRevision: fresh ? this.#model.modRevision(name) : 0,
        operation: deletes ? { type: 'delete' } : put,
      };
      expected.push(this.#model.txn(request, this.#clock.now()));
      pending.push(this.#kv.txn(request));
    }
    assert.deepEqual(plain(await Promise.all(pending)), plain(expected));
    assert.equal(await this.#kv.currentRevision(), this.#model.revision);
  }

  async #range(request: RangeRequest & { readonly revision: number }): Promise<void> {
    if (request.revision < this.#model.compacted) return rejects(this.#kv.range(request), 'compacted');
    const { revision, ...found } = await this.#kv.range(request);
    assert.equal(revision, this.#model.revision);
    assert.deepEqual(plain(found), plain(this.#model.range(request)));
  }

  async #watch(prefix: string, fromRevision: number): Promise<void> {
    using watching = new Watching(this.#kv, prefix, fromRevision);
    if (fromRevision < this.#model.compacted) {
      assert.match(String(await watching.over()), /compacted/);
      return;
    }
    const expected = this.#model.events.filter(({ revision, key: name }) => revision > fromRevision && name.startsWith(prefix));
    const last = expected.at(-1);
    if (last !== undefined) await watching.reached(last.revision);
    assert.deepEqual(watching.lines, expected.map(({ line }) => line));
  }
}

/** Values as text, so that a Buffer equals a Uint8Array and a difference can be read. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, part: unknown) => {
    if (part instanceof Uint8Array) return new TextDecoder().decode(part);
    if (typeof part === 'object' && part !== null && 'type' in part && part.type === 'Buffer' && 'data' in part && Array.isArray(part.data)) {
      return Buffer.from(part.data).toString();
    }
    return part;
  }));
}

export function modelTests(open: OpenKV, manualClock: boolean): void {
  it('agrees with a naive model on random operations', async () => {
    await fc.assert(
      fc.asyncProperty(steps(manualClock), async (run) => {
        const clock = new ManualClock();
        await using kv = await open({ now: clock.now });
        const comparison = new Comparison(kv, await kv.currentRevision(), clock);
        for (const step of run) await comparison.run(step);
      }),
      { numRuns: 100 },
    );
  });
}
