/**
 * Finds sources that read the clock or random numbers of the platform. Only the room `home` may do that, and only the
 * `roots` may use its `systemClock` and `systemRandom`. scripts/clock-and-random.json lists both, and exceptions with their
 * reasons. Tests and rooms named `testing` are exempt. `setImmediate` yields the event loop and does not count as time.
 *
 * Keys, passwords and tokens come from `node:crypto`, never from a `Random`, which may have a seed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageSources } from './package-sources.mjs';

const COMMENTS = /^[ \t]*\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*$|[ \t]\/\/ .*$/gm;

/** A call of the function, or the function as a value; not a method or a property of the same name. */
const global = (name) => new RegExp(`(?<![.\\w#$])${name}\\b(?!\\??:)|\\bglobal(?:This)?\\.${name}\\b`);

const USES = new Map([
  ['Date.now', /\bDate\.now\b/],
  ['new Date()', /(?<![.\w$])Date\(\s*\)|\bnew Date\b(?!\()/],
  ['performance.now', /\bperformance\.(?:now|timeOrigin)\b/],
  ['process.hrtime', /\bprocess\.hrtime\b/],
  ['setTimeout', global('setTimeout')],
  ['setInterval', global('setInterval')],
  ['node:timers', /(?:\b\w+|\{[^}]*\bscheduler\b[^}]*\})\s+from\s+'node:timers(?:\/promises)?'/],
  ['AbortSignal.timeout', /\bAbortSignal\.timeout\b/],
  ['Math.random', /\bMath\.random\b/],
  ...['randomBytes', 'randomUUID', 'randomInt', 'randomFill', 'randomFillSync', 'getRandomValues'].map((name) => [
    name,
    new RegExp(`\\b${name}\\b`),
  ]),
]);
const SYSTEM = /\bsystem(?:Clock|Random)\b/;

/** The uses of the platform's time and random numbers in a source, comments excluded. */
export function usesOf(source) {
  const code = source.replace(COMMENTS, '');
  return [...USES].filter(([, pattern]) => pattern.test(code)).map(([use]) => use);
}

/** All faults, each a line of text that names the file. */
export function checkClockAndRandom(root) {
  const rules = JSON.parse(readFileSync(join(root, 'scripts', 'clock-and-random.json'), 'utf8'));
  const unusedRoots = new Set(Object.keys(rules.roots));
  const unusedExceptions = new Set(Object.keys(rules.exceptions));
  const faults = [];
  for (const file of packageSources(root)) {
    if (file.startsWith(rules.home)) continue;
    const source = readFileSync(join(root, file), 'utf8');
    const excepted = rules.exceptions[file]?.uses ?? [];
    const uses = usesOf(source);
    for (const use of uses) {
      if (!excepted.includes(use)) faults.push(`${file}: uses ${use}; take a Clock or a Random of ${rules.home}`);
    }
    for (const use of excepted) {
      if (!uses.includes(use)) faults.push(`scripts/clock-and-random.json: ${file} does not use ${use}`);
    }
    unusedExceptions.delete(file);
    if (!SYSTEM.test(source.replace(COMMENTS, ''))) continue;
    const rootOf = Object.keys(rules.roots).find(
      (path) => file === path || (path.endsWith('/') && file.startsWith(path)),
    );
    if (rootOf === undefined)
      faults.push(`${file}: uses the system's clock or random numbers; take them from the caller`);
    else unusedRoots.delete(rootOf);
  }
  for (const path of [...unusedExceptions, ...unusedRoots])
    faults.push(`scripts/clock-and-random.json: ${path} is not used`);
  return faults;
}
