import { sortUtf8 } from '@binnacle/apimachinery/json';

interface Statusz {
  /** RFC 3339. */
  readonly startTime: string;
  readonly uptimeSeconds: number;
  readonly goVersion: string;
  readonly binaryVersion: string;
  readonly emulationVersion: string;
  readonly paths: readonly string[];
}

/** Folders that say nothing about the state of the server. */
const HIDDEN: ReadonlySet<string> = new Set(['/apis', '/api', '/openid', '/openapi', '/.well-known']);

/** The first folders of these paths, without those of the API. Upstream: `aggregatePaths`. */
export function debuggingPaths(paths: readonly string[]): string[] {
  const folders = paths.map((path) => `/${path.split('/')[1] ?? ''}`);
  return sortUtf8([...new Set(folders)].filter((folder) => folder !== '/' && !HIDDEN.has(folder)));
}

/** Upstream: `statuszTextSerializer`. */
export function statuszText(status: Statusz, delimiter: string): string {
  const { uptimeSeconds: up } = status;
  const two = (value: number): string => String(Math.floor(value) % 60).padStart(2, '0');
  const lines = [
    ['Started', unixDate(status.startTime)],
    ['Up', `${Math.floor(up / 3600)} hr ${two(up / 60)} min ${two(up)} sec`],
    ['Go version', status.goVersion],
    ['Binary version', status.binaryVersion],
    ['Emulation version', status.emulationVersion],
    ['Paths', status.paths.join(' ')],
  ];
  return `\n${lines.map(([name, value]) => `${name}${delimiter} ${value}\n`).join('')}`;
}

/** `Sat Nov 28 16:20:00 UTC 2026`. Upstream: Go's `time.UnixDate`. */
function unixDate(time: string): string {
  const [weekday = '', day = '', month = '', year = '', clock = ''] = new Date(time).toUTCString().split(' ');
  return `${weekday.replace(',', '')} ${month} ${String(Number(day)).padStart(2)} ${clock} UTC ${year}`;
}
