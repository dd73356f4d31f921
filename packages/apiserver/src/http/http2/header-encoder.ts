import { staticTable } from './static-table.js';

/** Fields that HTTP/2 has no use for. RFC 9113, section 8.2.2. */
const connectionFields: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);
const nameIndexes: ReadonlyMap<string, number> = new Map(staticTable.map(([name], at) => [name, at + 1]));
const statusIndexes: ReadonlyMap<string, number> = new Map(
  staticTable.flatMap(([name, value], at) => (name === ':status' ? [[value, at + 1] as const] : [])),
);

/** Sets the size of the dynamic table to zero, so that no later setting of the client concerns it. RFC 7541, section 6.3. */
const NO_DYNAMIC_TABLE = '\x20';

type FieldValue = string | number | readonly string[] | undefined;

/**
 * The header block of a response: HPACK with only the static table, so that no block depends on another. Values are
 * Latin-1. Fields of HTTP/1.1 connections are left out.
 */
export function encodeResponseHead(status: number, headers: Readonly<Record<string, FieldValue>>): Buffer {
  const index = statusIndexes.get(String(status));
  let block = NO_DYNAMIC_TABLE;
  block += index === undefined ? literal(':status', String(status)) : String.fromCharCode(0x80 | index);
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    const lowerCase = name.toLowerCase();
    if (value === undefined || connectionFields.has(lowerCase)) continue;
    if (typeof value === 'object') for (const each of value) block += literal(lowerCase, each);
    else block += literal(lowerCase, String(value));
  }
  return Buffer.from(block, 'latin1');
}

/** A field that enters no table. RFC 7541, section 6.2.2. */
function literal(name: string, value: string): string {
  const index = nameIndexes.get(name);
  const start = index === undefined ? `\0${text(name)}` : integer(index, 4);
  return start + text(value);
}

function text(characters: string): string {
  return integer(characters.length, 7) + characters;
}

/** RFC 7541, section 5.1. */
function integer(value: number, prefixBits: number): string {
  const most = 2 ** prefixBits - 1;
  if (value < most) return String.fromCharCode(value);
  let bytes = String.fromCharCode(most);
  let rest = value - most;
  for (; rest >= 0x80; rest >>>= 7) bytes += String.fromCharCode(0x80 | (rest & 0x7f));
  return bytes + String.fromCharCode(rest);
}
