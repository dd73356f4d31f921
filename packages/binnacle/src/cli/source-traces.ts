import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Maps are large and traces are rare, so the garbage collector may drop cached maps. */
const maps = new Map<string, WeakRef<SourceMap>>();

/**
 * Makes stack traces of this process refer to sources instead of the bundle. It costs nothing before the first trace,
 * whereas `--enable-source-maps` reads every map when the program loads.
 */
export function traceSources(): void {
  Error.prepareStackTrace = (error, frames) =>
    [Error.prototype.toString.call(error), ...frames.map((frame) => `    at ${inSource(frame)}`)].join('\n');
}

function inSource(frame: NodeJS.CallSite & { toString(): string }): string {
  const text = frame.toString();
  const [url, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
  if (url?.startsWith('file:') !== true || line === null || column === null) return text;
  const entry = mapOf(url)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalSource' in entry)) return text;
  const source = new URL(entry.originalSource, url).href;
  return text.replace(`${url}:${line}:${column}`, `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`);
}

/** The source map beside a file; undefined when there is none. */
function mapOf(url: string): SourceMap | undefined {
  let map = maps.get(url)?.deref();
  if (map !== undefined) return map;
  try {
    map = new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8')) as SourceMapPayload);
  } catch {
    return undefined;
  }
  maps.set(url, new WeakRef(map));
  return map;
}
