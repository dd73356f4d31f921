const COMMA = 0x2c;
const QUOTE = 0x22;
const ZERO = 0x30;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const VERSION = Buffer.from('"resourceVersion":"');

/** Where the comma of a resourceVersion goes: others follow it in metadata, it is the last of several members, or the only one. */
export type Comma = 'after' | 'before' | 'none';

/** `offset`: where the resourceVersion is inserted, within metadata. */
export function commaAt(bytes: Uint8Array, offset: number): Comma {
  if (bytes[offset] !== CLOSE_BRACE) return 'after';
  return bytes[offset - 1] === OPEN_BRACE ? 'none' : 'before';
}

/** The size of what {@link writeVersion} writes: nothing for revision 0. */
export function versionLength(revision: number, comma: Comma): number {
  if (revision === 0) return 0;
  return VERSION.length + digitsOf(revision) + (comma === 'none' ? 1 : 2);
}

/** Writes digit by digit, because a string for each object of each list would cost garbage collection. */
export function writeVersion(target: Uint8Array, offset: number, revision: number, comma: Comma): void {
  if (revision === 0) return;
  let at = offset;
  if (comma === 'before') target[at++] = COMMA;
  target.set(VERSION, at);
  const end = at + VERSION.length + digitsOf(revision);
  at = end;
  for (let rest = revision; rest > 0; rest = Math.floor(rest / 10)) target[--at] = ZERO + (rest % 10);
  target[end] = QUOTE;
  if (comma === 'after') target[end + 1] = COMMA;
}

function digitsOf(number: number): number {
  let digits = 1;
  for (let limit = 10; number >= limit; limit *= 10) digits++;
  return digits;
}
