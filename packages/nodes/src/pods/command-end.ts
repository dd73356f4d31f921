import type { Container } from '@binnacle/client/kinds/core/v1';
import { JOB_RUN, LONGEST_DURATION, type ScriptedEnd } from './script.js';

const UNITS: Readonly<Record<string, number>> = { '': 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Kubernetes' image of a program that waits forever. */
const PAUSE = /(?:^|\/)pause(?:[:@]|$)/;
const SHELL = /^(?:\S*\/)?(?:sh|ash|bash)$/;

/**
 * The end of a container of a Job's pod: as its command says if that only sleeps or exits, alone or in `sh -c`, or as the
 * image `pause` does, otherwise after a second. Undefined: it runs forever.
 */
export function endOfCommand({ image = '', command = [], args = [] }: Container): ScriptedEnd | undefined {
  const words = [...command, ...args];
  if (words.length === 0 && PAUSE.test(image)) return undefined;
  const [program = '', option, script = ''] = words;
  const text = (SHELL.test(program) && option === '-c' ? script : words.join(' ')).trim();
  const [, code] = /^exit ([12]?\d?\d)$/.exec(text) ?? [];
  if (code !== undefined) return { after: JOB_RUN, exitCode: Number(code) % 256 };
  const [, time] = /^(?:\/bin\/)?sleep (\S+)$/.exec(text) ?? [];
  if (time === 'inf' || time === 'infinity') return undefined;
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(time ?? '') ?? [];
  const after = number === undefined ? JOB_RUN : Number(number) * (UNITS[unit] ?? 0);
  return after > LONGEST_DURATION ? undefined : { after, exitCode: 0 };
}
