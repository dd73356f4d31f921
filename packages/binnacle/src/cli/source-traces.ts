import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Maps are large, and traces rare: they are kept for as long as memory is plenty. */
const maps = new Map<string, WeakRef<SourceMap>>();

/**
 * From here on, stack traces of this process name the sources, and not the bundle that the command is started from. Costs
 * nothing before the first trace is read; `--enable-source-maps` reads every map while the program is loaded.
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

/** The map beside a file; undefined where there is none. */
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
