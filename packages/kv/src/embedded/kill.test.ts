import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { KV } from '../interface/index.js';
import { openEmbeddedKV } from './index.js';

/** `npm run test:thorough` kills twenty times. */
const ROUNDS = process.env['BINNACLE_THOROUGH'] === undefined ? 4 : 20;
const writer = fileURLToPath(new URL('./kill-writer.testing.js', import.meta.url));

interface Acknowledged {
  readonly revision: number;
  readonly type: string;
  readonly key: string;
}

/** Runs the writers until `answers` writes are acknowledged, kills them, and returns all acknowledgments. */
async function writeAndKill(directory: string, answers: number): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, [writer, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  let lines = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    for (const byte of chunk) if (byte === 0x0a) lines += 1;
    if (lines >= answers) child.kill('SIGKILL');
  });
  await once(child, 'close');
  assert.equal(child.signalCode, 'SIGKILL', 'the writers ended before the kill');
  const complete = Buffer.concat(chunks).toString().split('\n').slice(0, -1);
  return complete.map((line) => {
    const [revision, type, key] = line.split(' ');
    assert.ok(revision !== undefined && type !== undefined && key !== undefined);
    return { revision: Number(revision), type, key };
  });
}

/** The event of every revision after `from`. */
async function readLog(kv: KV, from: number): Promise<Map<number, string>> {
  const log = new Map<number, string>();
  const newest = await kv.currentRevision();
  const abort = new AbortController();
  await new Promise<void>((resolve, reject) => {
    const progress = (revision: number): void => {
      if (revision >= newest) resolve();
    };
    kv.watch(
      { prefix: '', fromRevision: from },
      {
        batch: ({ revision, events }) => {
          assert.equal(log.has(revision), false, `revision ${revision} came twice`);
          log.set(revision, events.map(({ type, key }) => `${type} ${key}`).join(';'));
          progress(revision);
        },
        progress,
        ended: reject,
      },
      abort.signal,
    );
  });
  abort.abort();
  return log;
}

async function verify(kv: KV, acknowledged: readonly Acknowledged[]): Promise<void> {
  const { revision: newest, compactedRevision } = await kv.status();
  const oldest = Math.max(compactedRevision, 1);
  const log = await readLog(kv, oldest);
  for (let revision = oldest + 1; revision <= newest; revision += 1) {
    assert.ok(log.has(revision), `revision ${revision} of ${oldest + 1}..${newest} is missing`);
  }
  assert.equal(log.size, newest - oldest);
  const noted = Number(Buffer.from(kv.readNote?.('acknowledged') ?? []).toString());
  assert.ok(noted <= newest, `a note knows of revision ${noted}, the store ends at ${newest}`);
  const { items } = await kv.range({ prefix: '/kill/' });
  const current = new Map(items.map(({ key, modRevision }) => [key, modRevision]));
  for (const { key, value } of items) assert.equal(Buffer.compare(value, Buffer.alloc(value.length, key)), 0);
  const last = new Map<string, Acknowledged>();
  for (const answer of acknowledged) {
    const { revision, type, key } = answer;
    assert.ok(revision <= newest, `${revision} was acknowledged, the store ends at ${newest}`);
    if (revision > oldest) assert.equal(log.get(revision), `${type} ${key}`);
    last.set(key, answer);
  }
  for (const [key, { revision, type }] of last) {
    const found = current.get(key);
    // A later write of the same key may be committed without having been acknowledged.
    const overwritten = [...log].some(([later, event]) => later > revision && event.endsWith(` ${key}`));
    if (!overwritten) assert.equal(found, type === 'put' ? revision : undefined, `${type} ${key} ${revision}`);
  }
}

test(`${ROUNDS} kills during 64 concurrent writers lose no acknowledged write and leave no gap in revisions`, {
  timeout: 300_000,
}, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kv-kill-'));
  try {
    let newest = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const acknowledged = await writeAndKill(directory, 1 + Math.floor(Math.random() * 6000));
      await using kv = await openEmbeddedKV({ directory });
      await verify(kv, acknowledged);
      const revision = await kv.currentRevision();
      assert.ok(revision > newest, 'a round wrote nothing');
      newest = revision;
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
