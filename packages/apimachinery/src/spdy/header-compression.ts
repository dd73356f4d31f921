import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { HEADER_DICTIONARY } from './dictionary.js';
import { SpdyError } from './spdy-error.js';

/*
 * All header blocks of one direction are one zlib stream, flushed behind each block. A flush ends on a byte, so each block
 * is inflated separately, with the text before it as its dictionary. That needs no state outside of the heap.
 */

/** How far back zlib refers. */
const WINDOW_BYTES = 32 * 1024;
const MAX_INFLATED_BYTES = 64 * 1024;
/** CMF and FLG (deflate, 32 KiB window, a dictionary, best compression), then the checksum of the dictionary. */
const ZLIB_HEAD = Buffer.from('78f9e3c6a7c2', 'hex');
const HEAD_BYTES = 2;
const DEFLATE = 8;
const HAS_DICTIONARY = 0x20;
const flush = { finishFlush: constants.Z_SYNC_FLUSH };

/** Compresses the header blocks that one side sends, in their order. */
export class HeaderCompressor {
  #window: Buffer = HEADER_DICTIONARY;
  #isFirst = true;

  compress(block: Buffer): Buffer {
    const deflated = deflateRawSync(block, { ...flush, dictionary: this.#window });
    this.#window = windowAfter(this.#window, block);
    const head = this.#isFirst ? ZLIB_HEAD : Buffer.alloc(0);
    this.#isFirst = false;
    return Buffer.concat([head, deflated]);
  }
}

/** Inflates the header blocks of the other side, in their order. Throws a {@link SpdyError}. */
export class HeaderDecompressor {
  #window: Buffer = HEADER_DICTIONARY;
  #isFirst = true;

  decompress(bytes: Buffer): Buffer {
    const deflated = this.#isFirst ? withoutHead(bytes) : bytes;
    this.#isFirst = false;
    const block = inflate(deflated, this.#window);
    this.#window = windowAfter(this.#window, block);
    return block;
  }
}

function inflate(bytes: Buffer, dictionary: Buffer): Buffer {
  try {
    return inflateRawSync(bytes, { ...flush, dictionary, maxOutputLength: MAX_INFLATED_BYTES });
  } catch (error) {
    throw new SpdyError('a header block cannot be inflated', { cause: error });
  }
}

function withoutHead(bytes: Buffer): Buffer {
  if (bytes.length < HEAD_BYTES) throw new SpdyError('a header block is cut off');
  const [method = 0, flags = 0] = bytes;
  if ((method & 0xf) !== DEFLATE || bytes.readUInt16BE(0) % 31 !== 0)
    throw new SpdyError('headers are not in zlib format');
  if ((flags & HAS_DICTIONARY) === 0) return bytes.subarray(HEAD_BYTES);
  if (!bytes.subarray(HEAD_BYTES, ZLIB_HEAD.length).equals(ZLIB_HEAD.subarray(HEAD_BYTES))) {
    throw new SpdyError('headers have another dictionary');
  }
  return bytes.subarray(ZLIB_HEAD.length);
}

function windowAfter(window: Buffer, block: Buffer): Buffer {
  return Buffer.concat([window, block]).subarray(-WINDOW_BYTES);
}
