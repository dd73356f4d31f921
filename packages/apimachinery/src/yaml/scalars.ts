import type { Steps } from '../work/index.js';
import { type Cursor, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd } from './cursor.js';
import { scanError } from './yaml-error.js';

/** About a millisecond of work. */
const LINES_PER_STEP = 4000;

const TAB = 0x09;
const HASH = 0x23;
const COLON = 0x3a;

export interface PlainScalar {
  readonly text: string;
  /** Whether the scan stopped on a later line than the last character. */
  readonly endsLine: boolean;
}

/** Reads a scalar without quotes. Its later lines are indented by at least `indent`, except in a flow collection. */
export function* scanPlain(cursor: Cursor, indent: number, isFlow: boolean): Steps<PlainScalar> {
  let text = '';
  let fold = '';
  for (let lines = 1; ; lines++) {
    if (cursor.isAtDocumentMark() || cursor.code() === HASH) break;
    const end = endOfPlain(cursor.text, cursor.at, isFlow);
    if (end > cursor.at) {
      text += fold + cursor.text.slice(cursor.at, end);
      fold = '';
      cursor.at = end;
    }
    cursor.skipBlanks();
    if (!cursor.isAtBreak) break;
    fold = yield* foldBreaks(cursor, indent);
    if (!isFlow && cursor.column < indent) break;
    if (lines % LINES_PER_STEP === 0) yield;
  }
  return { text, endsLine: fold !== '' };
}

/** Where the words of a plain scalar on this line end. */
function endOfPlain(text: string, from: number, isFlow: boolean): number {
  let end = from;
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    if (isBlank(code)) continue;
    if (isBreakOrEnd(code)) return end;
    if (code === HASH && end < at) return end;
    if (code === COLON && isBlankOrEnd(text.charCodeAt(at + 1))) return end;
    if (isFlow && isFlowIndicator(code)) return end;
    end = at + 1;
  }
}

function isFlowIndicator(code: number): boolean {
  switch (code) {
    case 0x2c: // ,
    case 0x3f: // ?
    case 0x5b: // [
    case 0x5d: // ]
    case 0x7b: // {
    case 0x7d: // }
      return true;
    default:
      return false;
  }
}

/**
 * Reads line breaks with the blanks around them, and returns the text that they fold to. `first` is the first break if
 * it is already read, or empty if it was escaped.
 */
function* foldBreaks(cursor: Cursor, indent: number, first?: string): Steps<string> {
  let leading = first;
  let rest = '';
  for (let lines = 1; ; lines++) {
    while (isBlank(cursor.code())) {
      if (cursor.code() === TAB && leading !== undefined && cursor.column < indent) {
        throw scanError(cursor.line, 'found a tab character that violates indentation');
      }
      cursor.at++;
    }
    if (!cursor.isAtBreak) break;
    const text = cursor.readBreak();
    if (leading === undefined) leading = text;
    else rest += text;
    if (lines % LINES_PER_STEP === 0) yield;
  }
  return leading === '\n' ? rest || ' ' : `${leading ?? ''}${rest}`;
}

/** Reads a quoted scalar. Its later lines may have any indentation. */
export function* scanQuoted(cursor: Cursor, quote: '"' | "'"): Steps<string> {
  const stop = quote.charCodeAt(0);
  let text = '';
  cursor.at++;
  for (let pieces = 1; ; pieces++) {
    if (cursor.isAtDocumentMark()) throw scanError(cursor.line, 'found unexpected document indicator');
    if (cursor.isAtEnd) throw scanError(cursor.line, 'found unexpected end of stream');
    const end = endOfQuoted(cursor.text, cursor.at, stop);
    text += cursor.text.slice(cursor.at, end);
    cursor.at = end;
    const code = cursor.code();
    if (code === stop) {
      if (quote === '"' || cursor.code(1) !== stop) {
        cursor.at++;
        return text;
      }
      text += quote;
      cursor.at += 2;
    } else if (code === BACKSLASH) {
      cursor.at++;
      if (cursor.isAtBreak) {
        cursor.readBreak();
        text += yield* foldBreaks(cursor, 0, '');
      } else text += readEscape(cursor);
    } else text += yield* foldBreaks(cursor, 0);
    if (pieces % LINES_PER_STEP === 0) yield;
  }
}

const BACKSLASH = 0x5c;
const DOUBLE_QUOTE = 0x22;

/** The end of the characters that stand for themselves. Blanks before a line break do not belong to them. */
function endOfQuoted(text: string, from: number, stop: number): number {
  const escapes = stop === DOUBLE_QUOTE;
  let end = from;
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    if (code === stop || (escapes && code === BACKSLASH)) return at;
    if (isBreakOrEnd(code)) return end;
    if (!isBlank(code)) end = at + 1;
  }
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

const hexDigits: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** Reads an escape sequence after its backslash. */
function readEscape(cursor: Cursor): string {
  const name = cursor.text.charAt(cursor.at);
  const simple = simpleEscapes.get(name);
  const digits = hexDigits.get(name);
  if (simple === undefined && digits === undefined) throw scanError(cursor.line, 'found unknown escape character');
  cursor.at++;
  if (digits === undefined) return simple ?? '';
  const hex = cursor.text.slice(cursor.at, cursor.at + digits);
  if (hex.length < digits || !/^[0-9a-fA-F]+$/.test(hex)) {
    throw scanError(cursor.line, 'did not find expected hexdecimal number');
  }
  const code = Number.parseInt(hex, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    throw scanError(cursor.line, 'found invalid Unicode character escape code');
  }
  cursor.at += digits;
  return String.fromCodePoint(code);
}

/** Reads a literal (`|`) or folded (`>`) scalar in a block with the indentation `outer`, which is -1 at the top. */
export function* scanBlock(cursor: Cursor, outer: number): Steps<string> {
  const isFolded = cursor.text.charAt(cursor.at) === '>';
  cursor.at++;
  const { chomping, increment } = readHeader(cursor);
  const margin = new Margin(outer, increment);
  let text = '';
  let lineEnd = '';
  let startedBlank = false;
  yield* margin.skip(cursor);
  for (let lines = 1; cursor.column === margin.indent && !cursor.isAtEnd; lines++) {
    const startsBlank = isBlank(cursor.code());
    const folds = isFolded && lineEnd === '\n' && !startedBlank && !startsBlank;
    text += folds ? (margin.breaks === '' ? ' ' : '') : lineEnd;
    text += margin.breaks;
    startedBlank = startsBlank;
    const from = cursor.at;
    cursor.skipLine();
    text += cursor.text.slice(from, cursor.at);
    lineEnd = cursor.readBreak();
    yield* margin.skip(cursor);
    if (lines % LINES_PER_STEP === 0) yield;
  }
  if (chomping === '-') return text;
  return text + lineEnd + (chomping === '+' ? margin.breaks : '');
}

/** Reads the rest of the line with the indicator of a block scalar. */
function readHeader(cursor: Cursor): { chomping: string; increment: number } {
  const indicators = cursor.read(/[-+][0-9]?|[0-9][-+]?/y);
  if (indicators.includes('0')) throw scanError(cursor.line, 'found an indentation indicator equal to 0');
  cursor.skipBlanks();
  if (cursor.code() === HASH) cursor.skipLine();
  if (!isBreakOrEnd(cursor.code())) throw scanError(cursor.line, 'did not find expected comment or line break');
  cursor.readBreak();
  return { chomping: /[-+]/.exec(indicators)?.[0] ?? '', increment: Number(/[1-9]/.exec(indicators)?.[0] ?? 0) };
}

/** The indentation of a block scalar and the empty lines before its next line. */
class Margin {
  /** Zero until the first line with text tells it. */
  indent: number;
  breaks = '';
  readonly #outer: number;

  constructor(outer: number, increment: number) {
    this.#outer = outer;
    this.indent = increment === 0 ? 0 : Math.max(outer, 0) + increment;
  }

  /** Moves past empty lines and the indentation of the next line. */
  *skip(cursor: Cursor): Steps<void> {
    this.breaks = '';
    let widest = 0;
    for (let lines = 1; ; lines++) {
      while (this.#isBefore(cursor) && cursor.code() === 0x20) cursor.at++;
      widest = Math.max(widest, cursor.column);
      if (this.#isBefore(cursor) && cursor.code() === TAB) {
        throw scanError(cursor.line, 'found a tab character where an indentation space is expected');
      }
      if (!isBreak(cursor.code())) break;
      this.breaks += cursor.readBreak();
      if (lines % LINES_PER_STEP === 0) yield;
    }
    if (this.indent === 0) this.indent = Math.max(widest, this.#outer + 1, 1);
  }

  #isBefore(cursor: Cursor): boolean {
    return this.indent === 0 || cursor.column < this.indent;
  }
}
