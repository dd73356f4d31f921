import { ZERO } from './characters.js';
import { formatNumber, quoteEscaped } from './quote.js';
import { keysInOrder, sortedKeys } from './text.js';
import type { JsonValue } from './value.js';

const INITIAL_SIZE = 16 * 1024;
/** A scratch buffer above this size is released after its document. */
const KEPT_SIZE = 1024 * 1024;
/** From this length on, the engine's copy is faster than a loop. */
const LONG = 64;

/** The most bytes that UTF-8 needs for one unit of a string. */
const BYTES_PER_UNIT = 3;
/** A longer text is measured, so that it gets no more memory than it needs. */
const MEASURED_LENGTH = 4096;

/** About a millisecond of writing. */
const BYTES_PER_STEP = 32 * 1024;

const needsEscape = /[^ -~]|["\\<>&]/;

const ASCII = 0x80;
/** 1 for each character that needs no escape. A processor cannot predict comparisons on random text, such as a UID. */
const PLAIN = Uint8Array.from({ length: ASCII }, (_, code) => (needsEscape.test(String.fromCharCode(code)) ? 0 : 1));

/**
 * Writes JSON bytes as Go's encoder does, one by one into a buffer that all documents share. For the short strings in
 * objects this is faster than building and encoding text.
 */
export class JsonWriter {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_SIZE);
  #position = 0;
  #nextStep = BYTES_PER_STEP;

  get position(): number {
    return this.#position;
  }

  /** Discards everything written since `position`. */
  rewind(position: number): void {
    this.#position = position;
  }

  /** Whether the output since `position` equals `text`, which is ASCII. */
  wroteSince(position: number, text: string): boolean {
    return (
      this.#position - position === text.length && this.#bytes.toString('latin1', position, this.#position) === text
    );
  }

  /** A copy of the output. */
  toBytes(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#position));
  }

  /** A copy of the output since `position`. */
  bytesSince(position: number): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#bytes, position, this.#position);
  }

  /** The output itself, until the next write or {@link reset}. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#position);
  }

  toText(): string {
    return this.#bytes.toString('utf8', 0, this.#position);
  }

  reset(): void {
    this.#position = 0;
    if (this.#bytes.length > KEPT_SIZE) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_SIZE);
  }

  /** Whether a writer in steps should yield: it has written enough since this last returned true. */
  endsStep(): boolean {
    if (this.#position < this.#nextStep) return false;
    this.#nextStep = this.#position + BYTES_PER_STEP;
    return true;
  }

  /** Writes text that is already JSON and ASCII. */
  ascii(text: string): void {
    const length = text.length;
    this.#reserve(length);
    const bytes = this.#bytes;
    const position = this.#position;
    for (let index = 0; index < length; index++) bytes[position + index] = text.charCodeAt(index);
    this.#position = position + length;
  }

  /** Writes text as it is. */
  text(text: string): void {
    this.#reserve(text.length <= MEASURED_LENGTH ? text.length * BYTES_PER_UNIT : Buffer.byteLength(text));
    this.#position += this.#bytes.write(text, this.#position);
  }

  /** Writes bytes as they are. */
  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#position);
    this.#position += bytes.length;
  }

  byte(code: number): void {
    this.#reserve(1);
    this.#bytes[this.#position++] = code;
  }

  string(text: string): void {
    const length = text.length;
    if (length > LONG) {
      this.#longString(text);
      return;
    }
    this.#reserve(length + 2);
    const bytes = this.#bytes;
    let position = this.#position;
    bytes[position++] = 0x22;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code >= ASCII || PLAIN[code] === 0) {
        this.#escapedString(text);
        return;
      }
      bytes[position++] = code;
    }
    bytes[position++] = 0x22;
    this.#position = position;
  }

  /** Writes the last `count` decimal digits of a natural number, with leading zeros. */
  digits(value: number, count: number): void {
    this.#reserve(count);
    let rest = value;
    for (let at = this.#position + count - 1; at >= this.#position; at--) {
      const next = Math.floor(rest / 10);
      this.#bytes[at] = ZERO + rest - next * 10;
      rest = next;
    }
    this.#position += count;
  }

  number(value: number | bigint): void {
    this.ascii(typeof value === 'bigint' ? value.toString() : formatNumber(value));
  }

  /** Writes any value; `undefined` properties are absent. The caller must bound nesting. */
  value(value: JsonValue, sortKeys: boolean): void {
    switch (typeof value) {
      case 'string':
        this.string(value);
        return;
      case 'number':
      case 'bigint':
        this.number(value);
        return;
      case 'boolean':
        this.ascii(value ? 'true' : 'false');
        return;
      default:
        break;
    }
    if (value === null) {
      this.ascii('null');
      return;
    }
    if (Array.isArray(value)) {
      this.byte(0x5b);
      for (let index = 0; index < value.length; index++) {
        if (index > 0) this.byte(0x2c);
        this.value(value[index] ?? null, sortKeys);
      }
      this.byte(0x5d);
      return;
    }
    let first = true;
    this.byte(0x7b);
    for (const key of sortKeys ? sortedKeys(value) : keysInOrder(value)) {
      const item = value[key];
      if (item === undefined) continue;
      if (!first) this.byte(0x2c);
      first = false;
      this.string(key);
      this.byte(0x3a);
      this.value(item, sortKeys);
    }
    this.byte(0x7d);
  }

  #longString(text: string): void {
    if (needsEscape.test(text)) {
      this.#escapedString(text);
      return;
    }
    this.#reserve(text.length + 2);
    this.#bytes[this.#position] = 0x22;
    this.#bytes.write(text, this.#position + 1, 'latin1');
    this.#position += text.length + 2;
    this.#bytes[this.#position - 1] = 0x22;
  }

  #escapedString(text: string): void {
    const quoted = quoteEscaped(text);
    this.#reserve(quoted.length * BYTES_PER_UNIT);
    this.#position += this.#bytes.write(quoted, this.#position, 'utf8');
  }

  #reserve(count: number): void {
    const needed = this.#position + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#position);
    this.#bytes = larger;
  }
}

const shared = new JsonWriter();

/** Returns the bytes that `fill` writes. `fill` must be synchronous and must not write another document. */
export function writeJsonBytes(fill: (writer: JsonWriter) => void): Buffer {
  try {
    fill(shared);
    return shared.toBytes();
  } finally {
    shared.reset();
  }
}

/** Returns the bytes that `fill` writes in steps, with a writer of its own. */
export function* writeJsonBytesInSteps(
  fill: (writer: JsonWriter) => Generator<undefined, void, undefined>,
): Generator<undefined, Buffer, undefined> {
  const writer = new JsonWriter();
  yield* fill(writer);
  return writer.toBytes();
}

/** Returns the text that `fill` writes; see {@link writeJsonBytes}. */
export function writeJsonText(fill: (writer: JsonWriter) => void): string {
  try {
    fill(shared);
    return shared.toText();
  } finally {
    shared.reset();
  }
}
