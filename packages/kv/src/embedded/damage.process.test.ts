import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { KV } from '../interface/index.js';
import type { Verdict } from './damage-trials.testing.js';
import { openEmbeddedKV } from './index.js';
import { compactStore } from './maintenance/index.js';

/** `BINNACLE_DAMAGE_TRIALS=1000 npm test -- kv/embedded/damage` runs all trials, by turns on three stores. */
const TRIALS = Number(process.env['BINNACLE_DAMAGE_TRIALS'] ?? 100);
/** For each process: many times the time that its trials take. */
const TIME_LIMIT = 120_000 + TRIALS * 1000;
const trials = fileURLToPath(new URL('./damage-trials.testing.js', import.meta.url));

async function write(kv: KV, key: string, length: number, ttlSeconds?: number): Promise<void> {
  const { items } = await kv.range({ prefix: key, exact: true });
  const value = Buffer.from(JSON.stringify({ key, padding: 'x'.repeat(length) }));
  const ttl = ttlSeconds === undefined ? {} : { ttlSeconds };
  const operation = { type: 'put', value, ...ttl } as const;
  await kv.txn({ key, expectedRevision: items[0]?.modRevision ?? 0, operation });
}

/** Small and large values, updates, deletions, expiring keys, some history or all, and free pages. */
async function fill(directory: string, keepsAll = false): Promise<void> {
  await using kv = await openEmbeddedKV({ directory, clock: new VirtualClock(1) });
  const name = (index: number): string => `/registry/things/default/thing-${index}`;
  for (let index = 0; index < 240; index += 1) {
    await write(kv, name(index), index % 40 === 0 ? 20_000 : 200 + index * 3, index % 6 === 0 ? 3600 : undefined);
  }
  for (let index = 0; index < 60; index += 1) await write(kv, name(index * 2), 300);
  for (let index = 0; index < 90; index += 3) {
    const { items } = await kv.range({ prefix: name(index), exact: true });
    await kv.txn({ key: name(index), expectedRevision: items[0]?.modRevision ?? 0, operation: { type: 'delete' } });
  }
  if (!keepsAll) await kv.compact((await kv.currentRevision()) - 20);
  for (let index = 0; index < 40; index += 1) await write(kv, `/registry/other/${index}`, 150);
}

/** Runs `count` trials starting at `first`, in their own process, which must exit without a kill. */
async function run(directory: string, first: number, count: number): Promise<Verdict[]> {
  const args = [trials, directory, String(first), String(count)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], timeout: TIME_LIMIT });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  const lines = Buffer.concat(chunks).toString().trim().split('\n');
  assert.equal(child.exitCode, 0, `ended by ${child.signalCode ?? 'itself'} in ${lines.at(-1)}`);
  const verdicts = lines.filter((line) => !line.startsWith('{"begins"')).map(parse);
  assert.equal(verdicts.length, count);
  return verdicts;
}

function parse(line: string): Verdict {
  const value: unknown = JSON.parse(line);
  assert.ok(isVerdict(value), line);
  return value;
}

/** The trials print no other lines. */
function isVerdict(value: unknown): value is Verdict {
  return typeof value === 'object' && value !== null && 'damage' in value && 'repaired' in value;
}

function checkVerdict(verdict: Verdict): void {
  const { damage, found, refused, wrong, failed, repaired } = verdict;
  const message = `${damage}: ${JSON.stringify(verdict).slice(0, 2000)}`;
  assert.deepEqual(wrong, [], message);
  assert.ok(failed.length <= 1, `damage of one key alone: ${message}`);
  // Damage that the check does not find must be harmless.
  if (found === '') assert.deepEqual({ refused, failed }, { refused: '', failed: [] }, message);
  if (damage.startsWith('cut')) {
    if (repaired.uncertain === 0) assert.deepEqual(repaired.wrong, [], message);
    return;
  }
  assert.deepEqual({ wrong: repaired.wrong, found: repaired.found }, { wrong: [], found: '' }, message);
  assert.ok(repaired.missing.length <= 1, message);
  if (refused === '') {
    for (const key of repaired.missing) assert.ok(failed.includes(key), `${key} could be read: ${message}`);
  }
}

test('no flipped bit or truncation goes unnoticed, affects other keys, or prevents a repair', {
  timeout: 2 * TIME_LIMIT,
}, async () => {
  const parent = await mkdtemp(join(tmpdir(), 'kv-damage-'));
  try {
    const [worn, dense, condensed] = [join(parent, 'worn'), join(parent, 'dense'), join(parent, 'condensed')];
    for (const directory of [worn, dense]) await fill(directory);
    await fill(condensed, true);
    // Without free pages, nearly every bit is in use.
    await compactStore({ directory: dense });
    await compactStore({ directory: condensed, keepSince: 0 });
    const verdicts: Verdict[] = [];
    const share = Math.ceil(TRIALS / 3);
    for (const [index, directory] of [worn, dense, condensed].entries()) {
      verdicts.push(...(await run(directory, 1 + index * share, share)));
    }
    for (const verdict of verdicts) checkVerdict(verdict);
    assert.ok(verdicts.filter(({ found }) => found !== '').length > TRIALS / 4, 'too few trials hit anything');
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});
