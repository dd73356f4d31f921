import { formatTime } from '@binnacle/apimachinery/time';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { scriptOf, timeIn } from '../pods/index.js';
import type { ContainerRun } from './container-run.js';

export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Without the newline. */
  readonly text: string;
  /** No newline follows: the next line continues this one. */
  readonly isPartial?: boolean;
}

/** The lines of one run of a container, numbered from 0. Times are milliseconds since the epoch. */
export interface ReadableLog {
  /** Whether no line follows those that have been written. */
  readonly isComplete: boolean;
  /** The number of the first line that is kept. */
  readonly firstKept: number;
  /** How many lines have been written at this time. */
  countAt(now: number): number;
  /** The number of the first line that is written at this time or later. It may not have been written yet. */
  firstSince(time: number): number;
  line(index: number): LogLine;
  /** When a line will be written; Infinity: never, as far as the log knows. */
  timeOf(index: number): number;
}

export interface RunLogParts {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Undefined: the container runs. */
  readonly endedAt: number | undefined;
  readonly first: string;
  readonly lines: readonly string[];
  /** Milliseconds between the lines, which are then repeated without end; undefined: each is written once, at the start. */
  readonly interval: number | undefined;
}

/** The lines of one run of a simulated container. */
export class RunLog implements ReadableLog {
  readonly firstKept = 0;
  readonly #parts: RunLogParts;

  constructor(parts: RunLogParts) {
    this.#parts = parts;
  }

  get isComplete(): boolean {
    return this.#parts.endedAt !== undefined;
  }

  countAt(now: number): number {
    const { startedAt, endedAt = now, lines, interval } = this.#parts;
    const until = Math.min(now, endedAt);
    if (until < startedAt) return 0;
    if (lines.length === 0 || interval === undefined) return 1 + lines.length;
    return 2 + Math.floor((until - startedAt) / interval);
  }

  firstSince(time: number): number {
    const { startedAt, lines, interval } = this.#parts;
    if (time <= startedAt) return 0;
    if (lines.length === 0 || interval === undefined) return 1 + lines.length;
    return 1 + Math.ceil((time - startedAt) / interval);
  }

  line(index: number): LogLine {
    const { startedAt, first, lines, interval = 0 } = this.#parts;
    if (index === 0) return { at: startedAt, text: first };
    return { at: startedAt + (index - 1) * interval, text: lines[(index - 1) % lines.length] ?? '' };
  }

  timeOf(index: number): number {
    const { lines, interval, endedAt = Infinity } = this.#parts;
    const isScripted = index <= lines.length || (lines.length > 0 && interval !== undefined);
    const at = isScripted ? this.line(index).at : Infinity;
    return at > endedAt ? Infinity : at;
  }
}

/** The log of a run, as the script of the pod has it. Init containers, sidecars and ephemeral containers ignore the script. */
export function runLogOf(pod: Pod, container: Container, run: ContainerRun, now: number): RunLog {
  const { logs, logInterval } = scriptOf(pod);
  const isScripted = pod.spec?.containers?.some(({ name }) => name === container.name) === true;
  const startedAt = timeIn(run.startedAt, now);
  return new RunLog({
    startedAt,
    endedAt: run.finishedAt === undefined ? undefined : timeIn(run.finishedAt, startedAt),
    first: `This container is simulated: Binnacle runs no program of the image ${container.image ?? ''}`,
    lines: isScripted ? linesOf(logs) : [],
    interval: logInterval,
  });
}

/** The last line may end with a newline. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** RFC 3339 with nine digits of a second, as container runtimes write it. */
export function logTime(milliseconds: number): string {
  const fraction = String(milliseconds % 1000).padStart(3, '0');
  return formatTime(milliseconds).replace('Z', `.${fraction}000000Z`);
}
