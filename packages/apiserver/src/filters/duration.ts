import { quoteGo } from '@binnacle/apimachinery/status';

const milliseconds: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

const part = /([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/y;

/**
 * Reads a Go duration (`1h30m`, `1.5s`, `-2ms`, `0`) as milliseconds. Throws an Error in Go's words.
 * Upstream: Go `time.ParseDuration`.
 */
export function parseDuration(text: string): number {
  const invalid = (): Error => new Error(`time: invalid duration ${quoteGo(text)}`);
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return 0;
  if (unsigned === '') throw invalid();
  let total = 0;
  part.lastIndex = 0;
  while (part.lastIndex < unsigned.length) {
    const [, whole = '', fraction, unit = ''] = part.exec(unsigned) ?? [];
    if (whole === '' && (fraction ?? '') === '') throw invalid();
    if (unit === '') {
      // A number is followed by its unit, or by a second point.
      if (part.lastIndex < unsigned.length) throw invalid();
      throw new Error(`time: missing unit in duration ${quoteGo(text)}`);
    }
    const scale = milliseconds.get(unit);
    if (scale === undefined) throw new Error(`time: unknown unit ${quoteGo(unit)} in duration ${quoteGo(text)}`);
    total += Number(`${whole || '0'}.${fraction || '0'}`) * scale;
  }
  return text.startsWith('-') ? -total : total;
}
