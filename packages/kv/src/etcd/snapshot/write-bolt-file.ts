import type { FileHandle } from 'node:fs/promises';
import {
  BUCKET_ENTRY,
  BUCKET_HEADER_BYTES,
  type BoltEntry,
  checksum,
  FREE_LIST_PAGE,
  MAGIC,
  META_BYTES,
  META_PAGE,
  PAGE_HEADER_BYTES,
  VERSION,
} from './bolt-format.js';
import { BoltTree } from './bolt-tree.js';
import { emptyPage, PAGE_BYTES, PageSink } from './page-sink.js';

const META_PAGES = 2;

/** A bucket at the top of a file, with entries in the ascending order of their keys. */
export interface Bucket {
  readonly name: string;
  readonly entries: AsyncIterable<BoltEntry> | Iterable<BoltEntry>;
}

/**
 * Writes a file of bbolt to an empty file. The buckets are in the ascending order of their names. Entries are read one by one. Resolves with the
 * length of the file.
 */
export async function writeBoltFile(file: FileHandle, buckets: readonly Bucket[]): Promise<number> {
  const sink = new PageSink(file, META_PAGES);
  const freeList = await sink.add(emptyPage(), FREE_LIST_PAGE, 0);
  const top = new BoltTree(sink, BUCKET_ENTRY);
  for (const { name, entries } of buckets) {
    const tree = new BoltTree(sink);
    for await (const entry of entries) await tree.add(entry);
    const header = Buffer.alloc(BUCKET_HEADER_BYTES);
    header.writeBigUInt64LE(BigInt(await tree.finish()), 0);
    await top.add([Buffer.from(name), header]);
  }
  const root = await top.finish();
  await sink.flush();
  const pages = { root, freeList, end: sink.pages };
  // A writer replaces the older of the two.
  const metas = Buffer.concat([metaPage(0, 2, pages), metaPage(1, 1, pages)]);
  const { bytesWritten } = await file.write(metas, 0, metas.length, 0);
  if (bytesWritten < metas.length) throw new Error('the metadata was not written as a whole');
  return sink.pages * PAGE_BYTES;
}

interface Pages {
  readonly root: number;
  readonly freeList: number;
  /** The number after that of the last page. */
  readonly end: number;
}

/** The page of transaction n has the number n modulo 2. */
function metaPage(id: number, transaction: number, { root, freeList, end }: Pages): Buffer {
  const page = Buffer.alloc(PAGE_BYTES);
  page.writeBigUInt64LE(BigInt(id), 0);
  page.writeUInt16LE(META_PAGE, 8);
  const meta = page.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + META_BYTES);
  meta.writeUInt32LE(MAGIC, 0);
  meta.writeUInt32LE(VERSION, 4);
  meta.writeUInt32LE(PAGE_BYTES, 8);
  meta.writeBigUInt64LE(BigInt(root), 16);
  meta.writeBigUInt64LE(BigInt(freeList), 32);
  meta.writeBigUInt64LE(BigInt(end), 40);
  meta.writeBigUInt64LE(BigInt(transaction), 48);
  meta.writeBigUInt64LE(checksum(meta.subarray(0, 56)), 56);
  return page;
}
