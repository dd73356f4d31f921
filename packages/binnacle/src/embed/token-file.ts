import type { TokenEntry } from './server-contract.js';

/**
 * Reads `--token-auth-file`: CSV lines of token, user, uid and, optionally, groups (one field, separated by commas).
 * Of two lines with one token the later counts; a line without token is passed over. Throws an Error whose message is one
 * sentence without the file's name. Upstream: apiserver `pkg/authentication/token/tokenfile`.
 */
export function parseTokenFile(text: string): readonly TokenEntry[] {
  const entries = new Map<string, TokenEntry>();
  for (const { fields, line } of parseCsv(text)) {
    const [token = '', user, uid, groups = ''] = fields;
    if (user === undefined || uid === undefined) {
      throw new Error(`line ${line} has ${fields.length} fields; it needs at least token, user and uid`);
    }
    if (token === '') continue;
    entries.set(token, { token, user, uid, groups: groups === '' ? [] : groups.split(',') });
  }
  return [...entries.values()];
}

interface CsvRecord {
  readonly fields: readonly string[];
  /** Counted from 1. */
  readonly line: number;
}

const quotedField = /"((?:[^"]|"")*)"(?=,|\r?\n|\r?$)/y;
const plainField = /[^",\r\n]*(?=,|\r?\n|\r?$)/y;

/** RFC 4180, with empty lines passed over. */
function parseCsv(text: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let position = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  while (position < text.length) {
    const lineBreak = /\r?\n/y;
    lineBreak.lastIndex = position;
    if (lineBreak.test(text)) {
      position = lineBreak.lastIndex;
      line += 1;
      continue;
    }
    const fields: string[] = [];
    const start = line;
    for (;;) {
      const pattern = text[position] === '"' ? quotedField : plainField;
      pattern.lastIndex = position;
      const match = pattern.exec(text);
      if (match === null) throw new Error(`line ${line} has a quote in the wrong place`);
      const field = match[1]?.replaceAll('""', '"') ?? match[0];
      fields.push(field);
      line += field.split('\n').length - 1;
      position = pattern.lastIndex;
      if (text[position] !== ',') break;
      position += 1;
    }
    records.push({ fields, line: start });
    if (text[position] === '\r') position += 1;
    if (text[position] === '\n') {
      position += 1;
      line += 1;
    }
  }
  return records;
}
