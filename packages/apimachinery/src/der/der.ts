import { type Buffer, isAscii, isUtf8 } from 'node:buffer';

/** An ASN.1 value in distinguished encoding (DER). */
export interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** The content with its tag and length. */
  readonly whole: Buffer;
}

/** The bytes are not DER, or do not have the expected structure. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

export const SEQUENCE = 0x30;
export const SET = 0x31;
export const INTEGER = 0x02;
export const BOOLEAN = 0x01;
export const OCTET_STRING = 0x04;
export const BIT_STRING = 0x03;
const OBJECT_IDENTIFIER = 0x06;
const MULTI_BYTE_TAG = 0x1f;
/** Three octets of length reach 16 MiB, more than a request may have. */
const MAX_LENGTH_OCTETS = 3;
/** More elements than a stored request has. An element costs 300 bytes of memory, and takes as few as two bytes of input. */
const MAX_ELEMENTS = 50_000;
const MAX_ARC = 2 ** 31 - 1;

/** Reads all elements in order; no bytes may follow. Throws {@link DerError}. */
export function elementsOf(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (elements.length === MAX_ELEMENTS) throw new DerError('too many elements');
    const element = elementAt(bytes, at);
    elements.push(element);
    at += element.whole.length;
  }
  return elements;
}

/** The elements inside a constructed element. */
export function childrenOf(element: Element | undefined, tag: number): Element[] {
  return elementsOf(contentOf(element, tag));
}

export function contentOf(element: Element | undefined, tag: number): Buffer {
  if (element?.tag !== tag) throw new DerError('an element of another kind');
  return element.content;
}

export function wholeOf(element: Element | undefined): Buffer {
  if (element === undefined) throw new DerError('a missing element');
  return element.whole;
}

/** An object identifier in dotted decimals. */
export function identifierOf(element: Element | undefined): string {
  const content = contentOf(element, OBJECT_IDENTIFIER);
  const arcs: number[] = [];
  let arc = 0;
  let begins = true;
  for (const octet of content) {
    if (begins && octet === 0x80) throw new DerError('an arc with leading zeros');
    arc = arc * 128 + (octet & 0x7f);
    if (arc > MAX_ARC) throw new DerError('an arc that is too large');
    begins = octet < 0x80;
    if (!begins) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [first] = arcs;
  if (first === undefined || !begins) throw new DerError('a truncated object identifier');
  const root = Math.min(Math.floor(first / 40), 2);
  return [root, first - 40 * root, ...arcs.slice(1)].join('.');
}

/** The content of a bit string, which must have whole octets. */
export function bitsOf(element: Element | undefined): Buffer {
  const content = contentOf(element, BIT_STRING);
  if (content[0] !== 0) throw new DerError('bits that are not octets');
  return content.subarray(1);
}

/**
 * The text of a string that all certificate readers decode alike. Rejects UniversalString, GeneralString and other
 * types, which only some readers treat as text. Upstream: Go's `encoding/asn1`.
 */
export function textOf(element: Element | undefined): string {
  const decode = decoders.get(element?.tag);
  const text = element === undefined ? undefined : decode?.(element.content);
  if (text === undefined) throw new DerError('a text in no form that is known');
  return text;
}

type Decoder = (content: Buffer) => string | undefined;

const decoders: ReadonlyMap<number | undefined, Decoder> = new Map<number, Decoder>([
  [0x0c, (content) => (isUtf8(content) ? content.toString() : undefined)],
  [0x12, (content) => matching(content, /^[0-9 ]*$/)],
  [0x13, (content) => matching(content, /^[A-Za-z0-9 '()+,\-./:=?*&]*$/)],
  [0x14, (content) => content.toString('latin1')],
  [0x16, (content) => (isAscii(content) ? content.toString('latin1') : undefined)],
  [0x1e, basicMultilingual],
]);

function matching(content: Buffer, pattern: RegExp): string | undefined {
  const text = content.toString('latin1');
  return pattern.test(text) ? text : undefined;
}

/** Decodes UTF-16 without surrogates and noncharacters; drops a terminator at the end. */
function basicMultilingual(content: Buffer): string | undefined {
  if (content.length % 2 !== 0) return undefined;
  let text = '';
  for (let at = 0; at < content.length; at += 2) text += String.fromCharCode(content.readUInt16BE(at));
  return /[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]/.test(text) ? undefined : text.replace(/\0$/, '');
}

function elementAt(bytes: Buffer, at: number): Element {
  const tag = bytes[at] ?? 0;
  const first = bytes[at + 1];
  if (first === undefined || (tag & MULTI_BYTE_TAG) === MULTI_BYTE_TAG) throw new DerError('no tag with a length');
  const octets = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + octets;
  if (first === 0x80 || octets > MAX_LENGTH_OCTETS || start > bytes.length) throw new DerError('no length');
  const length = octets === 0 ? first : bytes.readUIntBE(at + 2, octets);
  const shortest = length < 0x80 ? 0 : Math.ceil((32 - Math.clz32(length)) / 8);
  if (octets !== shortest || start + length > bytes.length) throw new DerError('a wrong length');
  const end = start + length;
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) };
}
