import { formatTime } from '@binnacle/apimachinery/time';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { scriptOf, timeIn } from '../pods/index.js';
import type { ContainerRun } from './container-run.js';

export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Without the newline. */
  readonly text: string;
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

/** The lines of one run of a container, numbered from 0. */
export class RunLog {
  readonly #parts: RunLogParts;

  constructor(parts: RunLogParts) {
    this.#parts = parts;
  }

  /** Whether no line follows those that have been written. */
  get isComplete(): boolean {
    return this.#parts.endedAt !== undefined;
  }

  /** How many lines have been written at this time. */
  countAt(now: number): number {
    const { startedAt, endedAt = now, lines, interval } = this.#parts;
    const until = Math.min(now, endedAt);
    if (until < startedAt) return 0;
    if (lines.length === 0 || interval === undefined) return 1 + lines.length;
    return 2 + Math.floor((until - startedAt) / interval);
  }

  /** The number of the first line that is written at this time or later. It may not have been written yet. */
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

  /** When a line will be written; Infinity: never, unless the container starts again. */
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
    lines: isScripted ? logs : [],
    interval: logInterval,
  });
}

/** RFC 3339 with nine digits of a second, as container runtimes write it. */
export function logTime(milliseconds: number): string {
  const fraction = String(milliseconds % 1000).padStart(3, '0');
  return formatTime(milliseconds).replace('Z', `.${fraction}000000Z`);
}
