import { type Cursor, isBlank, isBlankOrEnd, isBreakOrEnd } from './cursor.js';
import { scanError } from './yaml-error.js';

const word = /[0-9A-Za-z_-]*/y;
const uri = /(?:[0-9A-Za-z_\-;/?:@&=+$,.!~*'()[\]]|%[0-9a-fA-F]{2})*/y;

/** Reads the name of an anchor or an alias after its indicator. */
export function scanAnchor(cursor: Cursor): string {
  cursor.at++;
  const name = cursor.read(word);
  if (name === '' || !(isBlankOrEnd(cursor.code()) || '?:,]}%@`'.includes(cursor.text.charAt(cursor.at)))) {
    throw scanError(cursor.line, 'did not find expected alphabetic or numeric character');
  }
  return name;
}

export interface TagText {
  /** Empty if the suffix is the whole tag. */
  readonly handle: string;
  readonly suffix: string;
}

/** Reads a tag: `!<whole>`, `!!suffix`, `!handle!suffix`, `!suffix`, or `!`. */
export function scanTag(cursor: Cursor): TagText {
  const tag = readTag(cursor);
  if (!isBlankOrEnd(cursor.code())) throw scanError(cursor.line, 'did not find expected whitespace or line break');
  return tag;
}

function readTag(cursor: Cursor): TagText {
  if (cursor.text.startsWith('!<', cursor.at)) {
    cursor.at += 2;
    const suffix = readUri(cursor, false);
    if (cursor.text.charAt(cursor.at) !== '>') throw scanError(cursor.line, "did not find the expected '>'");
    cursor.at++;
    return { handle: '', suffix };
  }
  const handle = cursor.read(/![0-9A-Za-z_-]*!?/y);
  if (handle.length > 1 && handle.endsWith('!')) return { handle, suffix: readUri(cursor, false) };
  const suffix = handle.slice(1) + readUri(cursor, true);
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
}

function readUri(cursor: Cursor, mayBeEmpty: boolean): string {
  const text = cursor.read(uri);
  if (cursor.text.charAt(cursor.at) === '%') throw scanError(cursor.line, 'did not find URI escaped octet');
  if (text === '' && !mayBeEmpty) throw scanError(cursor.line, 'did not find expected tag URI');
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    throw scanError(cursor.line, 'found an incorrect leading UTF-8 octet');
  }
}

export type Directive =
  | { readonly type: 'version-directive'; readonly text: string; readonly handle: '' }
  | { readonly type: 'tag-directive'; readonly text: string; readonly handle: string };

/** Reads a line that starts with a percent sign. */
export function scanDirective(cursor: Cursor): Directive {
  cursor.at++;
  const name = cursor.read(word);
  if (name === '') throw scanError(cursor.line, 'could not find expected directive name');
  if (!isBlankOrEnd(cursor.code())) throw scanError(cursor.line, 'found unexpected non-alphabetical character');
  if (name !== 'YAML' && name !== 'TAG') throw scanError(cursor.line, 'found unknown directive name');
  cursor.skipBlanks();
  const directive = name === 'YAML' ? readVersion(cursor) : readTagDirective(cursor);
  cursor.skipBlanks();
  if (cursor.text.charAt(cursor.at) === '#') cursor.skipLine();
  if (!isBreakOrEnd(cursor.code())) throw scanError(cursor.line, 'did not find expected comment or line break');
  cursor.readBreak();
  return directive;
}

function readVersion(cursor: Cursor): Directive {
  const major = readNumber(cursor);
  if (cursor.text.charAt(cursor.at) !== '.') {
    throw scanError(cursor.line, "did not find expected digit or '.' character");
  }
  cursor.at++;
  return { type: 'version-directive', text: `${major}.${readNumber(cursor)}`, handle: '' };
}

function readNumber(cursor: Cursor): number {
  const digits = cursor.read(/[0-9]*/y);
  if (digits === '') throw scanError(cursor.line, 'did not find expected version number');
  if (digits.length > 2) throw scanError(cursor.line, 'found extremely long version number');
  return Number(digits);
}

function readTagDirective(cursor: Cursor): Directive {
  const handle = cursor.read(/!(?:[0-9A-Za-z_-]*!)?/y);
  if (handle === '' || /[0-9A-Za-z_-]/.test(cursor.text.charAt(cursor.at))) {
    throw scanError(cursor.line, "did not find expected '!'");
  }
  if (!isBlank(cursor.code())) throw scanError(cursor.line, 'did not find expected whitespace');
  cursor.skipBlanks();
  const text = readUri(cursor, false);
  if (!isBlankOrEnd(cursor.code())) throw scanError(cursor.line, 'did not find expected whitespace or line break');
  return { type: 'tag-directive', text, handle };
}
