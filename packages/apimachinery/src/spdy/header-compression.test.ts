import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HEADER_DICTIONARY } from './dictionary.js';
import { decodeHeaderBlock, encodeHeaderBlock } from './header-block.js';
import { HeaderCompressor, HeaderDecompressor } from './header-compression.js';

/** Blocks that Go's `compress/zlib` wrote, one after the other. */
const FROM_GO = [
  '78f9e3c6a7c26260606004a7b392a2d4c45c6851c29a0a0a6800000000ffff',
  'c22ac5565c92925f5a02000000ffff',
  '6260606000000000ffff',
];

function decodeAll(blocks: readonly string[]): object[] {
  const decompressor = new HeaderDecompressor();
  return blocks.map((hex) => Object.fromEntries(decodeHeaderBlock(decompressor.decompress(Buffer.from(hex, 'hex')))));
}

describe('HeaderDecompressor', () => {
  it('reads the blocks of a peer in Go', () => {
    assert.equal(HEADER_DICTIONARY.length, 1423);
    assert.deepEqual(decodeAll(FROM_GO), [{ streamtype: 'error' }, { streamtype: 'stdout' }, {}]);
  });

  it('reads what the compressor wrote, however much', () => {
    const compressor = new HeaderCompressor();
    const decompressor = new HeaderDecompressor();
    for (let index = 0; index < 2000; index++) {
      const headers = new Map([
        ['streamtype', index % 2 === 0 ? 'data' : 'error'],
        ['port', '80'],
        ['requestid', String(index)],
      ]);
      const block = decompressor.decompress(compressor.compress(encodeHeaderBlock(headers)));
      assert.deepEqual(decodeHeaderBlock(block), headers);
    }
  });

  for (const [what, hex] of [
    ['no bytes', ''],
    ['not zlib', '1234'],
    ['another dictionary', '78f9e3c6a7c3'],
    ['bytes that are not deflated', '78f9e3c6a7c2ffffffff'],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.throws(() => new HeaderDecompressor().decompress(Buffer.from(hex, 'hex')), { name: 'SpdyError' });
    });
  }

  it('refuses a block that inflates to more than 64 KiB', () => {
    const bomb = new HeaderCompressor().compress(Buffer.alloc(1 << 20));
    assert.throws(() => new HeaderDecompressor().decompress(bomb), { name: 'SpdyError' });
  });
});

describe('decodeHeaderBlock', () => {
  for (const [what, hex] of [
    ['that is cut off', '00000001'],
    ['with a length beyond it', '0000000100000005'],
    ['with too many headers', 'ffffffff'],
    ['with bytes behind it', '0000000000'],
    ['with a name in capitals', '0000000100000001410000000161'],
    ['with a name twice', '00000002000000016100000001610000000161000000016100'],
  ] as const) {
    it(`refuses a block ${what}`, () => {
      assert.throws(() => decodeHeaderBlock(Buffer.from(hex, 'hex')), { name: 'SpdyError' });
    });
  }
});
