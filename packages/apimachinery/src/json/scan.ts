import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './characters.js';
/**
 * The end of the string whose opening quote is at `begin`; negative if it has escapes. The JSON must be complete and
 * without whitespace; for other input the result is arbitrary, at most past the last byte.
 */
export function endOfString(json: Uint8Array, begin: number): number {
  let escaped = false;
  for (let at = begin + 1; at < json.length; at++) {
    const code = json[at];
    if (code === QUOTE) return escaped ? -at - 1 : at + 1;
    if (code === BACKSLASH) {
      escaped = true;
      at++;
    }
  }
  return json.length + 1;
}

/** Whether the JSON has these bytes at `offset`. */
export function startsAt(json: Uint8Array, text: Uint8Array, offset: number): boolean {
  // A loop is faster than a native call for the few bytes of a name.
  for (let index = 0; index < text.length; index++) if (json[offset + index] !== text[index]) return false;
  return true;
}

/** The end of the value at `begin`, in the same kind of JSON. */
export function endOfValue(json: Uint8Array, begin: number): number {
  const first = json[begin];
  if (first === QUOTE) return Math.abs(endOfString(json, begin));
  return first === OPEN_BRACE || first === OPEN_BRACKET ? endOfContainer(json, begin) : endOfWord(json, begin);
}

function endOfContainer(json: Uint8Array, begin: number): number {
  let depth = 0;
  for (let at = begin; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE:
        for (at++; at < json.length && json[at] !== QUOTE; at++) if (json[at] === BACKSLASH) at++;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth++;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (--depth === 0) return at + 1;
        break;
      default:
    }
  }
  return json.length + 1;
}

/** Whether containers nest deeper than `depth`, in the same kind of JSON. */
export function isNestedDeeper(json: Uint8Array, depth: number): boolean {
  // Each level takes two brackets.
  if (json.length <= 2 * depth) return false;
  let open = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE:
        at = Math.abs(endOfString(json, at)) - 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++open > depth) return true;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open--;
        break;
      default:
    }
  }
  return false;
}

/** The end of a number or a literal. */
function endOfWord(json: Uint8Array, begin: number): number {
  for (let at = begin; at < json.length; at++) {
    const code = json[at];
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET) return at;
  }
  return json.length;
}
