import { CLOSE_BRACE, COMMA, OPEN_BRACE, QUOTE } from './characters.js';
import { endOfString, endOfValue, startsAt } from './scan.js';

const nothing = new Uint8Array();

/** The names of the members that lead to a value, each quoted and with its colon. */
export type MemberPath = readonly Uint8Array[];

/** From a dotted path: `spec.nodeName`. */
export function memberPath(path: string): MemberPath {
  return path.split('.').map((name) => Buffer.from(`${JSON.stringify(name)}:`));
}

/**
 * The string at a path in an object's JSON without whitespace; undefined if no string is there. Reads no further than that, and
 * decodes nothing else.
 */
export function stringAt(json: Uint8Array, path: MemberPath): string | undefined {
  const at = placeOf(json, path);
  if (at === undefined || json[at] !== QUOTE) return undefined;
  const end = endOfString(json, at);
  const bytes = Buffer.isBuffer(json) ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  return end < 0 ? (JSON.parse(bytes.toString('utf8', at, -end)) as string) : bytes.toString('utf8', at + 1, end - 1);
}

/**
 * The same kind of JSON without the member at a path, the first of its name. Reads no further than that member. Other input,
 * and JSON without that member, is returned as it is.
 */
export function withoutMember(json: Uint8Array, path: MemberPath): Uint8Array {
  const value = placeOf(json, path);
  if (value === undefined) return json;
  const begin = value - (path.at(-1) ?? nothing).length;
  const end = endOfValue(json, value);
  if (json[end] === COMMA) return Buffer.concat([json.subarray(0, begin), json.subarray(end + 1)]);
  if (json[end] !== CLOSE_BRACE) return json;
  return Buffer.concat([json.subarray(0, json[begin - 1] === COMMA ? begin - 1 : begin), json.subarray(end)]);
}

/** The position of the value at a path. */
function placeOf(json: Uint8Array, path: MemberPath): number | undefined {
  let at: number | undefined = 0;
  for (const name of path) {
    at = json[at] === OPEN_BRACE ? valueOf(json, at + 1, name) : undefined;
    if (at === undefined) return undefined;
  }
  return at;
}

/** The position of a member's value, in an object whose first member is at `begin`. */
function valueOf(json: Uint8Array, begin: number, name: Uint8Array): number | undefined {
  let at = begin;
  while (json[at] === QUOTE) {
    if (startsAt(json, name, at)) return at + name.length;
    at = endOfValue(json, endOfValue(json, at) + 1);
    if (json[at] === COMMA) at++;
  }
  return undefined;
}
