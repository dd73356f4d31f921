/**
 * The process of `damage.process.test.ts`: `DIRECTORY FIRST COUNT`. Damages copies of the store in DIRECTORY, one for
 * each trial: it flips a bit or truncates the file, as the trial's number determines. Prints a line when a trial
 * begins, and its result as a line of JSON.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { KVError, type KV } from '../interface/index.js';
import { openEmbeddedKV } from './index.js';
import { checkStore, repairStore } from './maintenance/index.js';

/** Every tenth trial truncates the file. */
const TRUNCATE_EVERY = 10;
/** LMDB reuses pages that a commit frees two commits later. */
const COMMITS = 6;
/** Every third flip is in the head of a page, which determines how LMDB reads the rest. */
const HEAD_EVERY = 3;
const PAGE_BYTES = 16384;
const HEAD_BYTES = 160;

export interface Verdict {
  readonly trial: number;
  readonly damage: string;
  /** The finding of the check; empty = none. */
  readonly found: string;
  /** Why the store could not be opened; empty = it opened. */
  readonly refused: string;
  /** Reads that returned other data than was written, without an error. */
  readonly wrong: readonly string[];
  /** Keys whose read failed. */
  readonly failed: readonly string[];
  /** For the repaired store: values that differ from those written, missing keys, and the findings of the check. */
  readonly repaired: {
    readonly wrong: readonly string[];
    readonly missing: readonly string[];
    readonly uncertain: number;
    readonly found: string;
  };
}

type Expected = ReadonlyMap<string, string>;

/** A number below `limit` that depends only on the trial. */
function choose(trial: number, salt: number, limit: number): number {
  let state = (trial * 0x9e3779b1 + salt * 0x85ebca6b) >>> 0;
  for (let round = 0; round < 4; round += 1) state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0;
  return state % limit;
}

function damage(file: string, trial: number): string {
  const bytes = readFileSync(file);
  if (trial % TRUNCATE_EVERY === 0) {
    const size = choose(trial, 1, bytes.length);
    truncateSync(file, size);
    return `cut to ${size} of ${bytes.length} bytes`;
  }
  const isInHead = trial % HEAD_EVERY === 0;
  const head = choose(trial, 4, bytes.length / PAGE_BYTES) * PAGE_BYTES + choose(trial, 5, HEAD_BYTES);
  const [offset, bit] = [isInHead ? head : choose(trial, 2, bytes.length), choose(trial, 3, 8)];
  bytes[offset] = (bytes[offset] ?? 0) ^ (1 << bit);
  writeFileSync(file, bytes);
  return `bit ${bit} of byte ${offset} (page ${Math.floor(offset / PAGE_BYTES)}, offset ${offset % PAGE_BYTES})`;
}

function text(value: Uint8Array): string {
  return Buffer.from(value).toString('latin1');
}

async function messageOf(run: () => Promise<string>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof KVError) return error.message;
    throw error;
  }
}

async function checkOf(directory: string): Promise<string> {
  return messageOf(async () => (await checkStore({ directory, isEncoded: () => true })).problems.join('; '));
}

/** Compares everything the store returns with the data written. */
async function readAll(kv: KV, expected: Expected, absent: readonly string[]) {
  const wrong: string[] = [];
  const failed: string[] = [];
  const list = await kv.range({ prefix: '', damaged: 'report' }).catch(() => undefined);
  const listed = new Map(list?.items.map(({ key, value }) => [key, text(value)]));
  const named = new Set(list?.damaged?.map(({ key }) => key));
  for (const [key, value] of list === undefined ? [] : expected) {
    if (!named.has(key) && listed.get(key) !== value) wrong.push(`list: ${key}`);
  }
  for (const key of listed.keys()) if (!expected.has(key)) wrong.push(`list: ${key} is new`);
  for (const key of [...expected.keys(), ...absent]) {
    try {
      const { items } = await kv.range({ prefix: key, exact: true });
      const found = items[0] === undefined ? undefined : text(items[0].value);
      if (found !== expected.get(key)) wrong.push(`get: ${key}`);
    } catch (error) {
      if (!(error instanceof KVError) || error.code !== 'corrupt') throw error;
      failed.push(key);
    }
  }
  for (const key of failed) {
    const operation = { type: 'put', value: new Uint8Array(1) } as const;
    const created = await kv.txn({ key, expectedRevision: 0, operation }).catch(() => undefined);
    if (created?.succeeded === true && expected.has(key)) wrong.push(`created over: ${key}`);
  }
  return { wrong, failed };
}

async function openAndRead(directory: string, expected: Expected, absent: readonly string[]) {
  let kv: KV;
  try {
    kv = await openEmbeddedKV({ directory, clock: new VirtualClock(1) });
  } catch (error) {
    if (!(error instanceof KVError)) throw error;
    return { refused: error.message, wrong: [], failed: [] };
  }
  try {
    const { wrong, failed } = await readAll(kv, expected, absent);
    return { refused: '', wrong: [...wrong, ...(await write(kv, expected, failed))], failed };
  } finally {
    await kv.close();
  }
}

/** Rejects with the first failure once all have ended. */
async function settle(writes: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(writes);
  await Promise.all(writes);
}

/**
 * Updates and deletes intact keys, adds some and compacts, so that LMDB moves and frees pages. Returns the keys whose
 * acknowledged state is not what the store then returns. All writes may be refused.
 */
async function write(kv: KV, expected: Expected, failed: readonly string[]): Promise<string[]> {
  const state = new Map<string, string | undefined>(expected);
  for (const key of failed) state.delete(key);
  const apply = async (key: string, value: string | undefined): Promise<void> => {
    const { items } = await kv.range({ prefix: key, exact: true });
    const operation =
      value === undefined ? ({ type: 'delete' } as const) : ({ type: 'put', value: Buffer.from(value) } as const);
    await kv.txn({ key, expectedRevision: items[0]?.modRevision ?? 0, operation });
    state.set(key, value);
  };
  try {
    const keys = [...state.keys()];
    for (let commit = 0; commit < COMMITS; commit += 1) {
      const changed = keys.filter((_, index) => index % (3 * COMMITS) === commit);
      const added = Array.from({ length: 3 }, (_, index) => `/registry/new/${commit}-${index}`);
      await settle([
        ...changed.map((key, index) => apply(key, index % 2 === 0 ? `{"a":"${'y'.repeat(index * 900)}"}` : undefined)),
        ...added.map((key) => apply(key, '{}')),
      ]);
    }
    await kv.compact(await kv.currentRevision());
  } catch (error) {
    if (!(error instanceof KVError) || error.code !== 'corrupt') throw error;
  }
  const differs: string[] = [];
  for (const [key, value] of state) {
    const { items } = await kv.range({ prefix: key, exact: true });
    if ((items[0] && text(items[0].value)) !== value) differs.push(`after writes: ${key}`);
  }
  return differs;
}

async function repairAndRead(directory: string, expected: Expected): Promise<Verdict['repaired']> {
  let uncertain = 0;
  const failure = await messageOf(async () => {
    ({ uncertain } = await repairStore({ directory }));
    return '';
  });
  if (failure !== '') return { wrong: [], missing: [...expected.keys()], uncertain, found: failure };
  await using kv = await openEmbeddedKV({ directory, clock: new VirtualClock(1) });
  const { items } = await kv.range({ prefix: '' });
  const present = new Map(items.map(({ key, value }) => [key, text(value)]));
  const wrong = [...present].filter(([key, value]) => expected.get(key) !== value).map(([key]) => key);
  const missing = [...expected.keys()].filter((key) => !present.has(key));
  await kv.close();
  return { wrong, missing, uncertain, found: await checkOf(directory) };
}

async function run(directory: string, trial: number, expected: Expected, absent: readonly string[]): Promise<Verdict> {
  const [copy, second] = [join(directory, 'copy'), join(directory, 'second')];
  for (const each of [copy, second]) {
    rmSync(each, { recursive: true, force: true });
    mkdirSync(each);
  }
  copyFileSync(join(directory, 'data.mdb'), join(copy, 'data.mdb'));
  const done = damage(join(copy, 'data.mdb'), trial);
  copyFileSync(join(copy, 'data.mdb'), join(second, 'data.mdb'));
  const found = await checkOf(copy);
  const read = await openAndRead(copy, expected, absent);
  const repaired = await repairAndRead(second, expected);
  return { trial, damage: done, found, ...read, repaired };
}

const [, , directory = '', first, count] = process.argv;
const kv = await openEmbeddedKV({ directory, clock: new VirtualClock(1) });
const { items } = await kv.range({ prefix: '' });
await kv.close();
const expected = new Map(items.map(({ key, value }) => [key, text(value)]));
const absent = [...expected.keys()].filter((_, index) => index % 5 === 0).map((key) => `${key}-`);
for (let trial = Number(first); trial < Number(first) + Number(count); trial += 1) {
  writeSync(1, `${JSON.stringify({ begins: trial })}\n`);
  const verdict = await run(directory, trial, expected, absent);
  writeSync(1, `${JSON.stringify(verdict)}\n`);
}
