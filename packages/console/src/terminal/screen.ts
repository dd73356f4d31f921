import type { Change, KindInfo, Load } from '../model/index.js';

export interface Screen {
  readonly server: string;
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly objects: number;
  /** Undefined: not measured yet. */
  readonly load: Load | undefined;
  /** Why there is no load; empty: there is, or will be. */
  readonly problem: string;
  readonly kinds: readonly KindInfo[];
  /** Oldest first. */
  readonly changes: readonly Change[];
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const SIGNS: Readonly<Record<Change['type'], string>> = { added: '+', changed: '~', gone: '-' };
const FEWEST_CHANGES = 3;

/** The lines of a screen, none longer than it is wide. */
export function screenLines(screen: Screen, { columns, rows }: Size): string[] {
  const head = [
    `${screen.server}  ${screen.version}  ${clock(screen.now)}  ${screen.objects} objects`,
    ...(screen.load === undefined ? [screen.problem || 'measuring ...'] : loadLines(screen.load)),
    '',
    'CHANGES, newest first',
  ];
  const room = Math.max(FEWEST_CHANGES, rows - head.length);
  const changes = screen.changes.slice(-room).reverse();
  return [...head, ...changes.map((change) => changeLine(change, screen.kinds))].map((line) => fitted(line, columns));
}

function loadLines(load: Load): string[] {
  const memory = load.memory === 0 ? '' : `  memory ${Math.round(load.memory / 1048576)} MiB`;
  return [
    `requests ${perSecond(load.rate)}  median ${duration(load.median)}  99% ${duration(load.p99)}  errors ${perSecond(load.failures)}  in progress ${load.inflight}  waiting ${load.queued}${memory}`,
    listed('slow (99%)', load.slowest, duration),
    listed('requests', load.resources, perSecond),
    listed(`watches ${load.watchCount}`, load.watches, String),
    listed('queues of control loops', load.queues, String),
  ];
}

function listed(title: string, rows: readonly (readonly [string, number])[], show: (value: number) => string): string {
  const texts = rows.map(([name, value]) => `${name} ${show(value)}`);
  return `${title}: ${texts.length === 0 ? 'none' : texts.join(', ')}`;
}

function changeLine({ time, type, kind, namespace, name, text, by }: Change, kinds: readonly KindInfo[]): string {
  const where = namespace === '' ? name : `${namespace}/${name}`;
  return `${clock(time)} ${SIGNS[type]} ${kinds[kind]?.kind ?? ''} ${where}  ${text}${by === '' ? '' : `  (${by})`}`;
}

/** Text of objects may hold anything: no control character reaches the terminal. */
function fitted(line: string, columns: number): string {
  const plain = line.replace(/\p{C}/gu, ' ');
  return plain.length <= columns ? plain : `${plain.slice(0, Math.max(0, columns - 1))}~`;
}

const clock = (time: number): string => new Date(time).toISOString().slice(11, 19);
const perSecond = (value: number): string => `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10}/s`;

function duration(seconds: number | undefined): string {
  if (seconds === undefined) return '-';
  return seconds < 1 ? `${Number((seconds * 1000).toPrecision(2))} ms` : `${seconds.toFixed(2)} s`;
}
