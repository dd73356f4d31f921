import { MAX_KEY_BYTES } from '../interface/index.js';

const loneSurrogate = /\p{Surrogate}/u;

/** Throws if a key cannot be stored. This is the caller's mistake, not a failure of the store. */
export function checkKey(key: string): void {
  if (key === '') throw new RangeError('a key must not be empty');
  checkText(key);
  if (key.length * 3 > MAX_KEY_BYTES && Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw new RangeError(
      `a key must not be longer than ${MAX_KEY_BYTES} bytes, this one has ${Buffer.byteLength(key)}`,
    );
  }
}

/** Rejects lone surrogates. They have no UTF-8 form, so two such keys would become one. */
export function checkText(text: string): void {
  if (loneSurrogate.test(text)) throw new RangeError(`${JSON.stringify(text)} is not well-formed text`);
}

export function checkRevision(name: string, revision: number, least: number): void {
  if (!Number.isSafeInteger(revision) || revision < least) {
    throw new RangeError(`${name} must be an integer of at least ${least}, not ${revision}`);
  }
}

/** Orders by UTF-8 bytes. Comparing code units, as `<` does, puts U+10000 and up before U+E000. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Ranks surrogates after all other code units. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
