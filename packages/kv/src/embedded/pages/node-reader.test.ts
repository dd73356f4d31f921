import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NodeReader } from './node-reader.js';
import { LEAF, NODE_HEADER_BYTES, PAGE_HEADER_BYTES } from './page-file.js';

const PAGE_SIZE = 4096;
const NUMBER = 7;
const expected = { number: NUMBER, transaction: 5, entryFlags: [0] };

/** A leaf with these keys and values, which fill it from its end. */
function leaf(...entries: readonly (readonly [key: string, value: string])[]): Buffer {
  const page = Buffer.alloc(PAGE_SIZE);
  page.writeBigUInt64LE(BigInt(NUMBER), 0);
  page.writeBigUInt64LE(5n, 8);
  page.writeUInt16LE(LEAF, 18);
  let upper = PAGE_SIZE;
  for (const [index, [key, value]] of entries.entries()) {
    const bytes = NODE_HEADER_BYTES + key.length + value.length;
    upper -= bytes + (bytes % 2);
    page.writeUInt32LE(value.length, upper);
    page.writeUInt16LE(key.length, upper + 6);
    page.write(key + value, upper + NODE_HEADER_BYTES);
    page.writeUInt16LE(upper - PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + index * 2);
  }
  page.writeUInt16LE(entries.length * 2, 20);
  page.writeUInt16LE(upper - PAGE_HEADER_BYTES, 22);
  return page;
}

const three = (): Buffer => leaf(['a', '11'], ['bb', '1'], ['c', '333']);

function setOffset(page: Buffer, index: number, change: (offset: number) => number): void {
  const at = PAGE_HEADER_BYTES + index * 2;
  page.writeUInt16LE(change(page.readUInt16LE(at)), at);
}

describe('NodeReader', () => {
  const reader = new NodeReader(PAGE_SIZE);

  it('reads nodes in the order of the offsets', () => {
    const nodes = reader.read(three(), expected)?.map(({ key, data }) => `${String(key)}=${String(data)}`);
    assert.deepEqual(nodes, ['a=11', 'bb=1', 'c=333']);
  });

  const damages: Readonly<Record<string, (page: Buffer) => unknown>> = {
    'of another number': (page) => page.writeUInt32LE(NUMBER + 1, 0),
    'of a later transaction': (page) => page.writeUInt32LE(6, 8),
    'of another kind': (page) => page.writeUInt16LE(1, 18),
    'without nodes': (page) => page.writeUInt16LE(0, 20),
    'with a node twice': (page) => page.copyWithin(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + 2, PAGE_HEADER_BYTES + 4),
    'with a node at an odd offset': (page) => setOffset(page, 1, (offset) => offset + 1),
    'with a node outside of the page': (page) => setOffset(page, 1, () => 0xfff0),
    'with a node in the unused part': (page) => setOffset(page, 2, (offset) => offset - 100),
    'with a node missing': (page) => page.writeUInt16LE(4, 20),
    'with flags of another table': (page) => page.writeUInt16LE(2, PAGE_SIZE - 12 + 4),
    'with a gap before its nodes': (page) => page.writeUInt16LE(page.readUInt16LE(22) - 2, 22),
  };
  for (const [what, damage] of Object.entries(damages)) {
    it(`rejects a page ${what}, and reads the next one`, () => {
      const page = three();
      damage(page);
      assert.equal(reader.read(page, expected), undefined);
      assert.equal(reader.read(three(), expected)?.length, 3);
    });
  }
});
