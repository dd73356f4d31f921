import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FILE, DEFAULT_PAGE_SIZE } from './data-file.js';
import { OVERFLOW, readLong } from './page-file.js';

/** Test helper. Damages the first page of a large value in a closed store, so that LMDB would free a page too many. */
export function damageLargeValue(directory: string): { readonly page: number; readonly pages: number } {
  const file = join(directory, DATA_FILE);
  const bytes = readFileSync(file);
  const isOverflow = (page: number): boolean =>
    readLong(bytes, page * DEFAULT_PAGE_SIZE) === page &&
    bytes.readUInt16LE(page * DEFAULT_PAGE_SIZE + 18) === OVERFLOW;
  const numbers = Array.from({ length: bytes.length / DEFAULT_PAGE_SIZE }, (_, page) => page);
  const page = numbers.find((each) => each > 1 && isOverflow(each)) ?? assert.fail('no large value');
  const at = page * DEFAULT_PAGE_SIZE + 20;
  const pages = bytes.readUInt32LE(at);
  bytes.writeUInt32LE(pages + 1, at);
  writeFileSync(file, bytes);
  return { page, pages };
}
