import { COMMA, OPEN_BRACE, QUOTE } from './characters.js';
import { endOfValue, startsAt } from './scan.js';

interface OutlinedMember {
  /** Quoted, with the colon. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Undefined: keep the whole member. */
  readonly inner: Outline | undefined;
}

/** The members of an object to keep. */
export type Outline = readonly OutlinedMember[];

/** From dotted paths: `metadata.name`. A path inside another one adds nothing. */
export function outlineOf(paths: readonly string[]): Outline {
  const inner = new Map<string, string[]>();
  const whole = new Set<string>();
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.');
    if (rest.length === 0) whole.add(name);
    inner.set(name, [...(inner.get(name) ?? []), rest.join('.')]);
  }
  return [...inner].map(([key, below]) => {
    const name = `${JSON.stringify(key)}:`;
    return { name, bytes: Buffer.from(name), inner: whole.has(key) ? undefined : outlineOf(below) };
  });
}

/**
 * The JSON of an object with only these members, extracted from JSON without whitespace. A value that is not an object
 * is kept whole, even if a path continues in it. Reads no further than the last member to keep, and decodes nothing.
 */
export function outlineJson(json: Uint8Array, outline: Outline): string {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  return new Outliner(bytes).object(0, outline, true);
}

class Outliner {
  readonly #bytes: Buffer;
  /** The position after the last object read. */
  #end = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** `isLast`: the end of the object is not needed. */
  object(begin: number, outline: Outline, isLast: boolean): string {
    const bytes = this.#bytes;
    let text = '';
    let missing = outline.length;
    let at = begin + 1;
    while (bytes[at] === QUOTE) {
      const member = memberAt(bytes, at, outline);
      if (member === undefined) {
        at = endOfValue(bytes, endOfValue(bytes, at) + 1);
      } else {
        missing--;
        const value = this.#value(at + member.bytes.length, member.inner, isLast && missing === 0);
        text += `${text === '' ? '' : ','}${member.name}${value}`;
        if (isLast && missing === 0) break;
        at = this.#end;
      }
      if (bytes[at] === COMMA) at++;
    }
    this.#end = at + 1;
    return `{${text}}`;
  }

  #value(begin: number, inner: Outline | undefined, isLast: boolean): string {
    if (inner !== undefined && this.#bytes[begin] === OPEN_BRACE) return this.object(begin, inner, isLast);
    this.#end = endOfValue(this.#bytes, begin);
    return this.#bytes.toString('utf8', begin, this.#end);
  }
}

function memberAt(bytes: Buffer, at: number, outline: Outline): OutlinedMember | undefined {
  for (const member of outline) if (startsAt(bytes, member.bytes, at)) return member;
  return undefined;
}
