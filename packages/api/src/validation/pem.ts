import { Buffer } from 'node:buffer';

export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const begin = /^-----BEGIN ([^\r\n]*)-----[ \t]*\r?$/;

/** The well-formed PEM blocks of a text, in order; everything else is passed over, as Go's decoder does. Linear. */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let type: string | undefined;
  let body: string[] = [];
  for (const line of text.split('\n')) {
    const opened = begin.exec(line);
    if (opened !== null) {
      type = opened[1] ?? '';
      body = [];
    } else if (type !== undefined && line.trimEnd() === `-----END ${type}-----`) {
      const block = decoded(type, body);
      if (block !== undefined) blocks.push(block);
      type = undefined;
    } else if (type !== undefined) {
      body.push(line.trim());
    }
  }
  return blocks;
}

function decoded(type: string, lines: readonly string[]): PemBlock | undefined {
  const content = lines.findIndex((line) => !line.includes(':'));
  const headers = content < 0 ? lines.length : content;
  const base64 = lines.slice(headers).join('');
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined;
  return { type, hasHeaders: headers > 0, bytes: Buffer.from(base64, 'base64') };
}
