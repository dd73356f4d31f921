/** Makes files in the format of bbolt for tests: a bucket `key` with the given entries, below as many branches as they need. */

const PAGE = 4096;

/** `[key, value]`, in ascending order of the keys. */
export type BoltEntry = readonly [key: Buffer, value: Buffer];

export interface BoltSettings {
  /** How many entries a page of leaves or of branches has. Default: 3. */
  readonly fanOut?: number;
  /** Whether the bucket is inside the page of the root. Default: false. */
  readonly isInline?: boolean;
}

export function boltFile(entries: readonly BoltEntry[], { fanOut = 3, isInline = false }: BoltSettings = {}): Buffer {
  // Two pages of metadata; then the others.
  const pages: Buffer[] = [];
  const add = (page: Buffer): number => {
    const id = 2 + pages.reduce((sum, { length }) => sum + length / PAGE, 0);
    page.writeBigUInt64LE(BigInt(id), 0);
    page.writeUInt32LE(page.length / PAGE - 1, 12);
    pages.push(page);
    return id;
  };
  const header = Buffer.alloc(16);
  if (!isInline) header.writeBigUInt64LE(BigInt(tree(entries, fanOut, add)), 0);
  const bucket = isInline ? Buffer.concat([header, leaf(entries)]) : header;
  const root = add(whole(leaf([[Buffer.from('key'), bucket]], 1)));
  return Buffer.concat([meta(root, 8n), meta(root, 7n), ...pages]);
}

function tree(entries: readonly BoltEntry[], fanOut: number, add: (page: Buffer) => number): number {
  const chunks = <T>(list: readonly T[]): T[][] =>
    Array.from({ length: Math.ceil(list.length / fanOut) }, (_, index) =>
      list.slice(index * fanOut, (index + 1) * fanOut),
    );
  let ids = chunks(entries).map((chunk) => add(whole(leaf(chunk))));
  while (ids.length > 1) ids = chunks(ids).map((chunk) => add(whole(branch(chunk))));
  return ids[0] ?? add(whole(leaf([])));
}

/** Filled with zeros to the end of its last page. */
const whole = (page: Buffer): Buffer => Buffer.concat([page], Math.ceil(page.length / PAGE) * PAGE);

function leaf(entries: readonly BoltEntry[], flags = 0): Buffer {
  const elements = Buffer.alloc(16 + entries.length * 16);
  elements.writeUInt16LE(2, 8);
  elements.writeUInt16LE(entries.length, 10);
  let end = elements.length;
  for (const [index, [key, value]] of entries.entries()) {
    const at = 16 + index * 16;
    [flags, end - at, key.length, value.length].forEach((number, field) =>
      elements.writeUInt32LE(number, at + field * 4),
    );
    end += key.length + value.length;
  }
  return Buffer.concat([elements, ...entries.flat()]);
}

/** Readers do not use the keys of branches. */
function branch(ids: readonly number[]): Buffer {
  const page = Buffer.alloc(16 + ids.length * 16);
  page.writeUInt16LE(1, 8);
  page.writeUInt16LE(ids.length, 10);
  for (const [index, id] of ids.entries()) page.writeBigUInt64LE(BigInt(id), 16 + index * 16 + 8);
  return page;
}

function meta(root: number, transaction: bigint): Buffer {
  const page = Buffer.alloc(PAGE);
  [0xed0cdaed, 2, PAGE].forEach((number, field) => page.writeUInt32LE(number, 16 + field * 4));
  page.writeBigUInt64LE(BigInt(root), 32);
  page.writeBigUInt64LE(transaction, 64);
  let sum = 0xcbf29ce484222325n;
  for (const byte of page.subarray(16, 72)) sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n);
  page.writeBigUInt64LE(sum, 72);
  return page;
}
