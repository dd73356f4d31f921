import { COMPRESSION_ERROR, ConnectionError } from './error-codes.js';
import { huffmanDecode } from './huffman.js';
import { staticTable } from './static-table.js';

/** The size of the dynamic table, in bytes as HPACK counts them. The server does not raise the default. */
const TABLE_SIZE = 4096;
/** What HPACK adds to the bytes of a field's name and value. */
const FIELD_OVERHEAD = 32;
/** A block has at most a megabyte. */
const LONGEST_INTEGER_BYTES = 4;

export interface HeaderLimits {
  /** Bytes of all names and values, and 32 for each field. */
  readonly maxSize: number;
  readonly maxFields: number;
}

/** The fields of a header block, decoded as Latin-1. */
export interface HeaderList {
  /** Names and values alternate, in the order of the block. Incomplete when `isTooLarge` or not `isWellFormed`. */
  readonly fields: readonly string[];
  /** Whether each character may be in a name or a value. Upstream: `golang.org/x/net/http/httpguts`. */
  readonly isWellFormed: boolean;
  readonly isTooLarge: boolean;
}

interface Field {
  readonly name: string;
  readonly value: string;
  /** Later fields may take their name from this one. */
  readonly isNameWellFormed: boolean;
  readonly isWellFormed: boolean;
}

const staticFields: readonly Field[] = staticTable.map(([name, value]) => ({
  name,
  value,
  isNameWellFormed: true,
  isWellFormed: true,
}));

/** Decodes the header blocks of one connection, in their order. RFC 7541. */
export class HeaderDecoder {
  readonly #limits: HeaderLimits;
  /** The newest field is the last. */
  readonly #table: Field[] = [];
  #tableSize = 0;
  #tableLimit = TABLE_SIZE;

  constructor(limits: HeaderLimits) {
    this.#limits = limits;
  }

  /**
   * Decodes a whole block. Beyond a limit it drops fields and still keeps the table up to date. Throws a
   * {@link ConnectionError} if the bytes are not HPACK; then no later block can be decoded.
   */
  decode(block: Buffer): HeaderList {
    const reader = new Reader(block);
    while (!reader.isAtEnd && (reader.peek() & 0xe0) === 0x20) this.#readTableLimit(reader);
    const list = new FieldList(this.#limits);
    while (!reader.isAtEnd) list.add(this.#readField(reader));
    return list;
  }

  #readField(reader: Reader): Field {
    const first = reader.peek();
    if (first >= 0x80) return this.#fieldAt(reader.integer(7));
    if (first >= 0x40) {
      const field = this.#readLiteral(reader, 6);
      this.#insert(field);
      return field;
    }
    if (first >= 0x20) throw compressionError('the size of the table changes within a block');
    return this.#readLiteral(reader, 4);
  }

  #readLiteral(reader: Reader, prefixBits: number): Field {
    const index = reader.integer(prefixBits);
    const { name, isNameWellFormed } = index === 0 ? readName(reader) : this.#fieldAt(index);
    const value = reader.text();
    return { name, value, isNameWellFormed, isWellFormed: isNameWellFormed && !CONTROL_CHARACTER.test(value) };
  }

  #readTableLimit(reader: Reader): void {
    const limit = reader.integer(5);
    if (limit > TABLE_SIZE) throw compressionError('the dynamic table is too large');
    this.#tableLimit = limit;
    this.#evict();
  }

  #fieldAt(index: number): Field {
    const field = staticFields[index - 1] ?? (index === 0 ? undefined : this.#table.at(staticFields.length - index));
    if (field === undefined) throw compressionError('no field has this index');
    return field;
  }

  #insert(field: Field): void {
    this.#table.push(field);
    this.#tableSize += sizeOf(field);
    this.#evict();
  }

  #evict(): void {
    while (this.#tableSize > this.#tableLimit) {
      const oldest = this.#table.shift();
      this.#tableSize -= oldest === undefined ? this.#tableSize : sizeOf(oldest);
    }
  }
}

/** Collects fields up to the limits. */
class FieldList implements HeaderList {
  readonly fields: string[] = [];
  readonly #limits: HeaderLimits;
  #size = 0;
  isWellFormed = true;
  isTooLarge = false;

  constructor(limits: HeaderLimits) {
    this.#limits = limits;
  }

  add(field: Field): void {
    if (this.isTooLarge || !this.isWellFormed) return;
    this.isWellFormed = field.isWellFormed;
    this.#size += sizeOf(field);
    this.isTooLarge = this.#size > this.#limits.maxSize || this.fields.length >= 2 * this.#limits.maxFields;
    if (!this.isTooLarge) this.fields.push(field.name, field.value);
  }
}

function sizeOf({ name, value }: Field): number {
  return name.length + value.length + FIELD_OVERHEAD;
}

/** Reads the integers and texts of HPACK. RFC 7541, section 5. */
class Reader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#position === this.#bytes.length;
  }

  peek(): number {
    const byte = this.#bytes[this.#position];
    if (byte === undefined) throw compressionError('a header block ends within a field');
    return byte;
  }

  integer(prefixBits: number): number {
    const most = 2 ** prefixBits - 1;
    let value = this.#byte() & most;
    if (value < most) return value;
    for (let count = 0; count < LONGEST_INTEGER_BYTES; count++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * count);
      if (byte < 0x80) return value;
    }
    throw compressionError('an integer is too large');
  }

  text(): string {
    const isEncoded = this.peek() >= 0x80;
    const end = this.integer(7) + this.#position;
    if (end > this.#bytes.length) throw compressionError('a header block ends within a text');
    const bytes = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    const text = isEncoded ? huffmanDecode(bytes) : bytes;
    if (text === undefined) throw compressionError('a text is not in the Huffman code');
    return text.toString('latin1');
  }

  #byte(): number {
    const byte = this.peek();
    this.#position++;
    return byte;
  }
}

function compressionError(message: string): ConnectionError {
  return new ConnectionError(COMPRESSION_ERROR, message);
}

/** A value may begin and end with spaces, as upstream allows against RFC 9113 8.2.1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it finds
const CONTROL_CHARACTER = /[\0-\x08\x0a-\x1f\x7f]/;
/** In HTTP/2, names have no capitals. The name of a pseudo-header field begins with a colon. */
const NAME = /^:?[!#$%&'*+\-.^_`|~0-9a-z]+$/;

function readName(reader: Reader): Pick<Field, 'name' | 'isNameWellFormed'> {
  const name = reader.text();
  return { name, isNameWellFormed: NAME.test(name) };
}
