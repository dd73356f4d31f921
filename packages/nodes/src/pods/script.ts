import { parseDuration, TimeParseError } from '@binnacle/apimachinery/time';
import { Quantity, QuantityError } from '@binnacle/apimachinery/quantity';
import type { Pod } from '@binnacle/client/kinds/core/v1';

/** When, in milliseconds from its start, and with which code a container ends. */
export interface ScriptedEnd {
  readonly after: number;
  readonly exitCode: number;
}

/** How the containers of a pod behave. Durations are milliseconds from the start of a container. */
export interface Script {
  /** When the first container may start, from the start of the pod; undefined: no annotation says so. */
  readonly startAfter: number | undefined;
  /** When the container is ready. */
  readonly readyAfter: number;
  /** When its readiness probe begins to fail; Infinity: never. */
  readonly unreadyAfter: number;
  /** When its liveness probe fails, if it has one; undefined: never. */
  readonly livenessFailsAfter: number | undefined;
  /** How an init container ends. */
  readonly initEnd: ScriptedEnd;
  /** How a container ends; undefined: no annotation says so. */
  readonly end: ScriptedEnd | undefined;
  /** The pod is one of a Job, so its containers end without an annotation. */
  readonly isOfJob: boolean;
  /** When the node evicts the pod, from the start of the pod; undefined: never. */
  readonly evictAfter: number | undefined;
  /** What a container writes to its log, after the first line. */
  readonly logs: string;
  /** The time between lines, which start over after the last; undefined: each is written once, at the start. */
  readonly logInterval: number | undefined;
  /** What each container uses; undefined: what it requests. */
  readonly usage: { readonly cpu: Quantity | undefined; readonly memory: Quantity | undefined };
  /** A sentence for each annotation that has no effect. */
  readonly problems: readonly string[];
}

const PREFIX = 'binnacle.dev/';
/** How long a container of a Job's pod runs if neither an annotation nor its command says so. */
export const JOB_RUN = 1000;
/** How long an init container runs. */
const INIT_RUN = 1000;
const HIGHEST_EXIT_CODE = 255;
/** About 24 days: what timers can count. */
export const LONGEST_DURATION = 2 ** 31 - 1;
/** Between lines of a log. */
const SHORTEST_INTERVAL = 100;

/** Reads the annotations that the README lists. A bad one has no effect, and is a problem. */
export function scriptOf({ metadata }: Pod): Script {
  const { annotations = {}, ownerReferences = [] } = metadata;
  const problems: string[] = [];
  const read = <T>(name: string, parse: (text: string) => T | undefined, expected: string): T | undefined => {
    const key = `${PREFIX}${name}`;
    const text = Object.hasOwn(annotations, key) ? annotations[key] : undefined;
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) problems.push(`annotation ${key} is ignored: it must be ${expected}`);
    return value;
  };
  const duration = 'a duration such as 1m30s, and at most 24 days';
  const startAfter = read('start-after', milliseconds, duration);
  const readyAfter = read('ready-after', milliseconds, duration) ?? 0;
  const unreadyAfter = read('unready-after', milliseconds, duration) ?? Infinity;
  const livenessFailsAfter = read('liveness-fails-after', milliseconds, duration);
  const initRunFor = read('init-run-for', milliseconds, duration) ?? INIT_RUN;
  const code = `an integer from 0 to ${HIGHEST_EXIT_CODE}`;
  const initExitCode = read('init-exit-code', exitCodeIn, code) ?? 0;
  const evictAfter = read('evict-after', milliseconds, duration);
  const runFor = read('run-for', milliseconds, duration);
  const failAfter = read('fail-after', milliseconds, duration);
  const exitCode = read('exit-code', exitCodeIn, code);
  const logs = read('logs', (text) => text, 'text') ?? '';
  const logInterval = read('log-interval', intervalIn, `${duration}, and at least 100ms`);
  const quantity = 'a quantity such as 250m or 64Mi, and not negative';
  const usage = { cpu: read('cpu', quantityIn, quantity), memory: read('memory', quantityIn, quantity) };
  const isOfJob = ownerReferences.some(({ kind, controller }) => kind === 'Job' && controller === true);
  const success = runFor ?? (isOfJob && failAfter === undefined && exitCode !== undefined ? JOB_RUN : undefined);
  const ends = [
    ...(failAfter === undefined ? [] : [{ after: failAfter, exitCode: exitCode ?? 1 }]),
    ...(success === undefined ? [] : [{ after: success, exitCode: exitCode ?? 0 }]),
  ];
  const [end] = ends.toSorted((one, other) => one.after - other.after);
  return {
    startAfter,
    readyAfter,
    unreadyAfter,
    livenessFailsAfter,
    initEnd: { after: initRunFor, exitCode: initExitCode },
    end,
    isOfJob,
    evictAfter,
    logs,
    logInterval,
    usage,
    problems,
  };
}

function milliseconds(text: string): number | undefined {
  try {
    const value = Number(parseDuration(text) / 1_000_000n);
    return value >= 0 && value <= LONGEST_DURATION ? value : undefined;
  } catch (error) {
    if (error instanceof TimeParseError) return undefined;
    throw error;
  }
}

function exitCodeIn(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) && Number(text) <= HIGHEST_EXIT_CODE ? Number(text) : undefined;
}

function intervalIn(text: string): number | undefined {
  const interval = milliseconds(text);
  return interval !== undefined && interval >= SHORTEST_INTERVAL ? interval : undefined;
}

function quantityIn(text: string): Quantity | undefined {
  try {
    const value = Quantity.parse(text);
    return value.compare(Quantity.of(0)) >= 0 ? value : undefined;
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}
