import { SpdyError } from './spdy-error.js';

/** Headers by lower-case name. A NUL separates the values of a repeated header. */
export type StreamHeaders = ReadonlyMap<string, string>;

/** A stream of Kubernetes has up to four headers. */
const MAX_HEADERS = 100;
const LENGTH_BYTES = 4;

/** Encodes headers before compression. Upstream: `writeHeaderValueBlock`. */
export function encodeHeaderBlock(headers: StreamHeaders): Buffer {
  const parts = [lengthOf(headers.size)];
  for (const [name, value] of headers) parts.push(...encodeText(name.toLowerCase()), ...encodeText(value));
  return Buffer.concat(parts);
}

/** Decodes an inflated header block. Throws a {@link SpdyError} unless it is exactly one. Upstream: `parseHeaderValueBlock`. */
export function decodeHeaderBlock(block: Buffer): StreamHeaders {
  const headers = new Map<string, string>();
  let position = 0;
  const readNumber = (): number => {
    if (position + LENGTH_BYTES > block.length) throw new SpdyError('a header block is cut off');
    const number = block.readUInt32BE(position);
    position += LENGTH_BYTES;
    return number;
  };
  const readText = (): string => {
    const end = readNumber() + position;
    if (end > block.length) throw new SpdyError('a header block is cut off');
    const text = block.toString('utf8', position, end);
    position = end;
    return text;
  };
  const count = readNumber();
  if (count > MAX_HEADERS) throw new SpdyError('a stream has too many headers');
  for (let index = 0; index < count; index++) {
    const name = readText();
    if (name !== name.toLowerCase()) throw new SpdyError('header was not lowercased');
    if (headers.has(name)) throw new SpdyError('multiple headers with same name');
    headers.set(name, readText());
  }
  if (position !== block.length) throw new SpdyError('bytes follow a header block');
  return headers;
}

function encodeText(text: string): Buffer[] {
  const bytes = Buffer.from(text, 'utf8');
  return [lengthOf(bytes.length), bytes];
}

function lengthOf(number: number): Buffer {
  const bytes = Buffer.alloc(LENGTH_BYTES);
  bytes.writeUInt32BE(number, 0);
  return bytes;
}
