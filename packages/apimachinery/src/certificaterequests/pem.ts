import { Buffer } from 'node:buffer';

export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const BEGIN = /^-----BEGIN ([^-]*)-----$/;
const HEADER = /^[^:]+:/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Reads the PEM blocks of a text in order, ignoring text between blocks. Undefined if readers could disagree on a
 * block: spaces in lines, repeated BEGIN lines, text that is not base64. So no one signs a block that others have not
 * seen. Takes linear time.
 */
export function readPem(text: string): PemBlock[] | undefined {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const blocks: PemBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!lines[at]?.includes('-----')) continue;
    const type = BEGIN.exec(lines[at] ?? '')?.[1];
    const end = type === undefined ? -1 : lines.indexOf(`-----END ${type}-----`, at);
    const block = type === undefined || end < 0 ? undefined : decode(type, lines.slice(at + 1, end));
    if (block === undefined) return undefined;
    blocks.push(block);
    at = end;
  }
  return blocks;
}

/** Headers come before the content, and an empty line may follow them. */
function decode(type: string, lines: readonly string[]): PemBlock | undefined {
  const content = lines.findIndex((line) => !HEADER.test(line));
  const headers = content < 0 ? lines.length : content;
  const start = headers > 0 && lines[headers] === '' ? headers + 1 : headers;
  const body = lines.slice(start);
  const base64 = body.join('');
  if (body.length > 0 && (body.includes('') || !BASE64.test(base64))) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? { type, hasHeaders: headers > 0, bytes } : undefined;
}
