/**
 * Steady updates of the embedded store while the server compacts its history. Figures: disk size during the run and at the end, rate, and latency of
 * durable writes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { openEmbeddedKV } = await import(join(root, 'packages/kv/dist/embedded/index.js'));
const { checkStore } = await import(join(root, 'packages/kv/dist/embedded/maintenance/index.js'));
const { HistoryRetention } = await import(join(root, 'packages/apiserver/dist/storage/index.js'));

const { values: options } = parseArgs({
  options: {
    updates: { type: 'string', default: '100000' },
    keys: { type: 'string', default: '10000' },
    kilobytes: { type: 'string', default: '2' },
    writers: { type: 'string', default: '64' },
    /** Seconds of history to keep. */
    retention: { type: 'string', default: '1' },
    /** The maximum duration; the run ends early with fewer updates. */
    seconds: { type: 'string', default: '180' },
  },
});
const updates = Number(options.updates);
const keys = Number(options.keys);
const SAMPLES = 10;

const directory = mkdtempSync(join(tmpdir(), 'binnacle-churn-'));
try {
  await churn();
} finally {
  rmSync(directory, { recursive: true });
}

async function churn() {
  const kv = await openEmbeddedKV({ directory });
  const revisions = new Float64Array(keys);
  const padding = 'x'.repeat(Number(options.kilobytes) * 1024 - 60);
  const write = async (index, generation) => {
    const value = Buffer.from(JSON.stringify({ index, generation, padding }));
    const operation = { type: 'put', value };
    const result = await kv.txn({ key: `/registry/churn/${index}`, expectedRevision: revisions[index], operation });
    if (!result.succeeded) throw new Error(`key ${index} was changed by another writer`);
    revisions[index] = result.revision;
  };
  await inParallel(keys, (index) => write(index, 0));
  const bytesAtStart = (await kv.status()).sizeBytes;
  print({ figure: 'size of the keys alone', megabytes: megabytes(bytesAtStart) });

  const retention = new HistoryRetention({
    kv,
    retentionMs: Number(options.retention) * 1000,
    now: Date.now,
    report: (error) => {
      throw error;
    },
  });
  const latencies = new Float64Array(updates);
  const start = performance.now();
  const end = start + Number(options.seconds) * 1000;
  let written = 0;
  await inParallel(updates, async (update) => {
    const begun = performance.now();
    if (begun > end) return;
    // A stride coprime to the number of keys, so that consecutive writes are far apart on disk.
    await write((update * 7919) % keys, update);
    latencies[written++] = performance.now() - begun;
    if (written % Math.ceil(updates / SAMPLES) !== 0) return;
    const { sizeBytes, revision, compactedRevision } = await kv.status();
    print({
      figure: 'size under way',
      updates: written,
      megabytes: megabytes(sizeBytes),
      revisionsKept: revision - compactedRevision,
    });
  });
  const seconds = (performance.now() - start) / 1000;
  retention[Symbol.dispose]();
  const sorted = latencies.subarray(0, written).sort();
  const quantile = (share) => Number((sorted[Math.min(written - 1, Math.floor(written * share))] ?? 0).toFixed(2));
  print({
    figure: 'durable update while history is compacted',
    updates: written,
    perSecond: Math.round(written / seconds),
    p50Milliseconds: quantile(0.5),
    p99Milliseconds: quantile(0.99),
    p999Milliseconds: quantile(0.999),
    maximumMilliseconds: quantile(1),
  });
  print({ figure: 'size at the end', megabytes: megabytes((await kv.status()).sizeBytes) });
  print({ figure: 'resident memory', megabytes: megabytes(process.memoryUsage().rss) });
  await kv.close();
  const { problemCount } = await checkStore({ directory });
  print({ figure: 'problems that a check finds', count: problemCount });
}

/** Runs at most `keys` calls at a time. The updates of a key are `keys` calls apart, so they never overlap. */
async function inParallel(count, run) {
  let next = 0;
  const worker = async () => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: Math.min(Number(options.writers), keys) }, worker));
}

function megabytes(bytes) {
  return Math.round(bytes / 2 ** 20);
}

function print(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
