/** The error for unreadable CSV, with the line where parsing stopped. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

const field = /"((?:[^"]|"")*)"|([^",\n]*)/y;

/**
 * Parses RFC 4180 text as Go's `encoding/csv` does. Fields may be quoted, a doubled quote is one quote, quoted fields
 * may span lines, and empty lines are skipped. Records may differ in length. Throws {@link CsvError}.
 */
export function parseCsv(text: string): string[][] {
  const source = text.replaceAll('\r\n', '\n');
  const records: string[][] = [];
  let record: string[] = [];
  let position = 0;
  while (position < source.length) {
    if (record.length === 0 && source[position] === '\n') {
      position++;
      continue;
    }
    field.lastIndex = position;
    const match = field.exec(source);
    record.push(match?.[1]?.replaceAll('""', '"') ?? match?.[2] ?? '');
    position = field.lastIndex;
    const next = source[position];
    if (next === ',') {
      position++;
      // A comma at the very end of the text opens one more, empty field.
      if (position < source.length && source[position] !== '\n') continue;
      record.push('');
    } else if (next !== undefined && next !== '\n') {
      throw new CsvError(`line ${source.slice(0, position).split('\n').length}: misplaced quote`);
    }
    records.push(record);
    record = [];
    position++;
  }
  return records;
}
