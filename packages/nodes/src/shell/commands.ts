import { sleep } from '@binnacle/apimachinery/clock';
import { NETWORK_COMMANDS } from './network-commands.js';
import { FILE_COMMANDS, filesOf, pathOf } from './file-commands.js';
import { type Command, Exit, type Run } from './session.js';

/** All commands but `sh`. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ...FILE_COMMANDS,
  ...NETWORK_COMMANDS,
  ':': () => 0,
  '[': (run) => {
    if (run.words.at(-1) !== ']') return run.fail('missing ]').then(() => 2);
    return test(run, run.words.slice(0, -1));
  },
  date: async (run) => {
    await run.say(new Date(run.session.clock.now()).toUTCString());
    return 0;
  },
  echo: async (run) => {
    const [flag, ...rest] = run.words;
    const isBare = flag === '-n';
    await run.stdout(Buffer.from(`${(isBare ? rest : run.words).join(' ')}${isBare ? '' : '\n'}`));
    return 0;
  },
  env: async (run) => {
    for (const [name, value] of run.session.environment) await run.say(`${name}=${value}`);
    return 0;
  },
  exit: ({ words: [code], session }) => {
    throw new Exit(code === undefined ? session.lastCode : Number(code) & 0xff);
  },
  export: ({ words, session }) => {
    for (const word of words) {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(word) ?? [];
      if (name !== undefined) session.environment.set(name, value ?? '');
    }
    return 0;
  },
  false: () => 1,
  hostname: async (run) => {
    await run.say(run.session.container.hostname);
    return 0;
  },
  id: async (run) => {
    await run.say('uid=0(root) gid=0(root) groups=0(root)');
    return 0;
  },
  printenv: async (run) => {
    if (run.words.length === 0) return COMMANDS['env']?.(run) ?? 0;
    const exported = new Map(run.session.environment);
    for (const name of run.words) if (exported.has(name)) await run.say(exported.get(name) ?? '');
    return run.words.every((name) => exported.has(name)) ? 0 : 1;
  },
  sleep: async (run) => {
    const seconds = run.words.reduce((sum, word) => sum + secondsIn(word), 0);
    if (!(seconds >= 0)) return run.fail(`invalid time interval '${run.words.join(' ')}'`);
    await sleep(run.session.clock, Math.min(seconds, LONGEST_SLEEP) * 1000, run.session.signal);
    return 0;
  },
  tail: async (run) => {
    const [flag = '', file] = run.words;
    const [, first] = /^-c\+(\d+)$/.exec(flag) ?? [];
    if (first === undefined) return run.fail('the simulated tail knows only `-c+NUMBER`');
    let skip = Math.max(0, Number(first) - 1);
    const source = file === undefined ? run.stdin : [filesOf(run).read(pathOf(run, file))];
    for await (const bytes of source) {
      if (skip < bytes.length) await run.stdout(bytes.subarray(skip));
      skip = Math.max(0, skip - bytes.length);
    }
    return 0;
  },
  test: (run) => test(run, run.words),
  true: () => 0,
  uname: async (run) => {
    await run.say(
      run.words.includes('-a') ? `Linux ${run.session.container.hostname} 6.12.0-simulated x86_64` : 'Linux',
    );
    return 0;
  },
  whoami: async (run) => {
    await run.say('root');
    return 0;
  },
};

/** A week. */
const LONGEST_SLEEP = 7 * 86_400;
const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** NaN if it is not a time. */
function secondsIn(word: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(word) ?? [];
  return Number(number) * (UNITS[unit] ?? 1);
}

/** The operators of `test` that need no numbers. 2: the words are not an expression. */
function test(run: Run, words: readonly string[]): Promise<number> | number {
  const negations = words.findIndex((word) => word !== '!');
  if (negations > 0) {
    const code = test(run, words.slice(negations));
    return negations % 2 === 0 ? code : negated(code);
  }
  const [first = '', second = '', third = ''] = words;
  if (words.length <= 1) return first === '' ? 1 : 0;
  const kind = filesOf(run).get(pathOf(run, second))?.kind;
  const unary: Readonly<Record<string, boolean>> = {
    '-d': kind === 'directory',
    '-e': kind !== undefined,
    '-f': kind === 'file',
    '-n': second !== '',
    '-z': second === '',
  };
  if (words.length === 2 && Object.hasOwn(unary, first)) return unary[first] === true ? 0 : 1;
  if (words.length === 3 && (second === '=' || second === '!=')) return (first === third) === (second === '=') ? 0 : 1;
  return run.fail('the simulated shell does not support this expression').then(() => 2);
}

const negated = async (code: Promise<number> | number): Promise<number> => {
  const known = await code;
  return known > 1 ? known : 1 - known;
};
