import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from './characters.js';
const INDENT = 2;
const PIECE_BYTES = 64 * 1024;

/** The distance from an opening bracket to its closing one. */
const TO_CLOSING = 2;

/** Indents compact JSON by two spaces, as Go's `json.Indent` does: empty objects and lists stay on one line. */
export function indentJson(text: string): string {
  const decoder = new TextDecoder();
  let indented = '';
  for (const piece of indentedJson([Buffer.from(text)])) indented += decoder.decode(piece, { stream: true });
  return indented;
}

/** Like {@link indentJson}, for JSON that arrives in parts. A piece is valid until the next one is requested. */
export function* indentedJson(parts: Iterable<Uint8Array>): Generator<Uint8Array, void, undefined> {
  const indenter = new Indenter();
  for (const part of parts) {
    let at = 0;
    while (at < part.length) {
      at = indenter.take(part, at);
      if (at < part.length) yield indenter.piece();
    }
  }
  yield indenter.piece();
}

class Indenter {
  #out = Buffer.allocUnsafeSlow(PIECE_BYTES);
  #length = 0;
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  /** The last byte, if it is an opening bracket. */
  #opened = 0;

  /** The output since the last piece. */
  piece(): Uint8Array {
    const piece = this.#out.subarray(0, this.#length);
    this.#length = 0;
    return piece;
  }

  /** Reads bytes from `at` on and returns the next position: the end, or an earlier one if a piece is full. */
  take(part: Uint8Array, at: number): number {
    let next = at;
    while (next < part.length && this.#hasRoom()) {
      if (this.#isString) next = this.#string(part, next);
      else this.#structure(part[next++] ?? 0);
    }
    return next;
  }

  /** Whether there is room for what one byte can become: a line feed, the indentation, the byte, and one more. */
  #hasRoom(): boolean {
    const needed = this.#depth * INDENT + 4;
    if (this.#length + needed <= this.#out.length) return true;
    if (this.#length === 0) this.#out = Buffer.allocUnsafeSlow(needed * 2);
    return this.#length === 0;
  }

  #string(part: Uint8Array, from: number): number {
    const out = this.#out;
    const end = Math.min(part.length, from + out.length - this.#length);
    let at = from;
    let length = this.#length;
    while (at < end && this.#isString) {
      const byte = part[at++] ?? 0;
      out[length++] = byte;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isString = false;
    }
    this.#length = length;
    return at;
  }

  #structure(byte: number): void {
    const closes = byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
    if (closes) this.#depth--;
    if (this.#opened !== 0 ? byte !== this.#opened + TO_CLOSING : closes) this.#newLine();
    this.#opened = 0;
    this.#put(byte);
    if (byte === QUOTE) this.#isString = true;
    else if (byte === COMMA) this.#newLine();
    else if (byte === COLON) this.#put(SPACE);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.#depth++;
      this.#opened = byte;
    }
  }

  #newLine(): void {
    this.#put(LINE_FEED);
    const end = this.#length + this.#depth * INDENT;
    this.#out.fill(SPACE, this.#length, end);
    this.#length = end;
  }

  #put(byte: number): void {
    this.#out[this.#length++] = byte;
  }
}
