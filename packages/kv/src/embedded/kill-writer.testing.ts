/**
 * The process that `kill.test.ts` kills: 64 writers, each with its own keys, an occasional compaction, and notes of
 * acknowledged revisions. Prints `<revision> <put|delete> <key>` for every write after it was acknowledged, before
 * the writer's next one.
 */
import { writeSync } from 'node:fs';
import { openEmbeddedKV } from './index.js';

const WRITERS = 64;
const KEYS_PER_WRITER = 8;
const COMPACT_EVERY = 2000;
const NOTE_EVERY = 500;
const KEEP = 1500;

const [, , directory] = process.argv;
if (directory === undefined) throw new Error('usage: kill-writer DIRECTORY');
const kv = await openEmbeddedKV({ directory });
const { items } = await kv.range({ prefix: '/kill/' });
const revisions = new Map(items.map(({ key, modRevision }) => [key, modRevision]));
let acknowledged = 0;

async function write(writer: number): Promise<void> {
  for (let count = 0; ; count += 1) {
    const key = `/kill/${writer}/${count % KEYS_PER_WRITER}`;
    const expectedRevision = revisions.get(key) ?? 0;
    const deletes = expectedRevision > 0 && count % 5 === 4;
    const value = Buffer.alloc(100 + ((writer * 131 + count * 17) % 4000), key);
    const result = await kv.txn({
      key,
      expectedRevision,
      operation: deletes ? { type: 'delete' } : { type: 'put', value },
    });
    if (!result.succeeded) throw new Error(`${key} was changed by another writer`);
    revisions.set(key, deletes ? 0 : result.revision);
    writeSync(1, `${result.revision} ${deletes ? 'delete' : 'put'} ${key}\n`);
    acknowledged += 1;
    if (acknowledged % NOTE_EVERY === 0) await kv.writeNote?.('acknowledged', Buffer.from(String(result.revision)));
    if (acknowledged % COMPACT_EVERY === 0) await kv.compact(Math.max(result.revision - KEEP, 1));
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
