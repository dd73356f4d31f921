import { parseDuration, TimeParseError } from '@binnacle/apimachinery/time';
import type { Pod } from '@binnacle/client/kinds/core/v1';

/** How the containers of a pod behave. Durations are milliseconds from the start of a container. */
export interface Script {
  /** When the container is ready. */
  readonly readyAfter: number;
  /** When and with which code the container ends; undefined: it runs forever. */
  readonly end: { readonly after: number; readonly exitCode: number } | undefined;
  /** A sentence for each annotation that has no effect. */
  readonly problems: readonly string[];
}

const PREFIX = 'binnacle.dev/';
/** How long a container of a Job's pod runs. */
const JOB_RUN = 1000;
const HIGHEST_EXIT_CODE = 255;
/** About 24 days: what timers can count. */
const LONGEST = 2 ** 31 - 1;

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
  const readyAfter = read('ready-after', milliseconds, duration) ?? 0;
  const runFor = read('run-for', milliseconds, duration);
  const failAfter = read('fail-after', milliseconds, duration);
  const exitCode = read('exit-code', exitCodeIn, `an integer from 0 to ${HIGHEST_EXIT_CODE}`);
  const isJobs = ownerReferences.some(({ kind, controller }) => kind === 'Job' && controller === true);
  const success = runFor ?? (isJobs && failAfter === undefined ? JOB_RUN : undefined);
  const ends = [
    ...(failAfter === undefined ? [] : [{ after: failAfter, exitCode: exitCode ?? 1 }]),
    ...(success === undefined ? [] : [{ after: success, exitCode: exitCode ?? 0 }]),
  ];
  const [end] = ends.toSorted((one, other) => one.after - other.after);
  return { readyAfter, end, problems };
}

function milliseconds(text: string): number | undefined {
  try {
    const value = Number(parseDuration(text) / 1_000_000n);
    return value >= 0 && value <= LONGEST ? value : undefined;
  } catch (error) {
    if (error instanceof TimeParseError) return undefined;
    throw error;
  }
}

function exitCodeIn(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) && Number(text) <= HIGHEST_EXIT_CODE ? Number(text) : undefined;
}
