import type { Container } from '@binnacle/client/kinds/core/v1';
import { JOB_RUN, LONGEST_DURATION, type ScriptedEnd } from './script.js';

const UNITS: Readonly<Record<string, number>> = { '': 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Kubernetes' image of a program that waits forever. */
const PAUSE = /(?:^|\/)pause(?:[:@]|$)/;
const SHELL = /^(?:\S*\/)?(?:sh|ash|bash)$/;

/**
 * The end of a container of a Job's pod. A command that only sleeps or exits, alone or in `sh -c`, decides it. The image
 * `pause` runs forever (undefined). All other containers end after a second.
 */
export function endOfCommand({ image = '', command = [], args = [] }: Container): ScriptedEnd | undefined {
  const words = [...command, ...args];
  if (words.length === 0 && PAUSE.test(image)) return undefined;
  const [, code] = /^exit ([12]?\d?\d)$/.exec(textOf(words)) ?? [];
  if (code !== undefined) return { after: JOB_RUN, exitCode: Number(code) % 256 };
  const after = sleepOf(words) ?? JOB_RUN;
  return after > LONGEST_DURATION ? undefined : { after, exitCode: 0 };
}

/** The milliseconds that a command sleeps; undefined: the command does something else. */
export function sleepOf(words: readonly string[]): number | undefined {
  const [, time] = /^(?:\/bin\/)?sleep (\S+)$/.exec(textOf(words)) ?? [];
  if (time === 'inf' || time === 'infinity') return Infinity;
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(time ?? '') ?? [];
  return number === undefined ? undefined : Number(number) * (UNITS[unit] ?? 0);
}

/** A command, or the script that it gives to a shell. */
function textOf(words: readonly string[]): string {
  const [program = '', option, script = ''] = words;
  return (SHELL.test(program) && option === '-c' ? script : words.join(' ')).trim();
}
