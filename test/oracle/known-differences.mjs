import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oracleFolder } from './scenarios.mjs';

const lineWidth = 120;
const knownFile = join(oracleFolder, 'known-differences.json');

/**
 * Why steps differ. `steps` names them by scenario; a `*` in a name matches any text.
 *
 * @typedef {{ reason: string, steps: Record<string, string[]> }} KnownDifference
 */

/** @typedef {{ scenario: string, verdict: import('./judge.mjs').Verdict }} Difference */

/**
 * @typedef {object} Explanation
 * @property {{ reason: string, differences: Difference[] }[]} explained in the order of the reasons; none is empty
 * @property {Difference[]} unexplained steps that differ without a reason
 * @property {{ reason: string, scenario: string, name: string }[]} idle names that no step that differs needs
 */

/** @returns {KnownDifference[]} */
export const readKnownDifferences = () => JSON.parse(readFileSync(knownFile, 'utf8'));

/** @param {KnownDifference[]} known */
export const writeKnownDifferences = (known) => writeFileSync(knownFile, formatKnownDifferences(known));

/**
 * Gives every step that differs its reason. One that is named in full belongs to the reason that names it, any other to
 * the first whose pattern fits.
 *
 * @param {import('./run.mjs').Run} run
 * @param {KnownDifference[]} known
 * @returns {Explanation}
 */
export function explain(run, known) {
  const names = known.flatMap(({ reason, steps }) =>
    Object.entries(steps).flatMap(([scenario, list]) => list.map((name) => ({ reason, scenario, name }))),
  );
  const byReason = new Map(known.map(({ reason }) => [reason, []]));
  const unexplained = [];
  const used = new Set();
  for (const [scenario, verdicts] of Object.entries(run)) {
    const candidates = names.filter((entry) => entry.scenario === scenario);
    for (const verdict of verdicts.filter(({ exact }) => !exact)) {
      const entry =
        candidates.find(({ name }) => name === verdict.step) ??
        candidates.find(({ name }) => patternOf(name).test(verdict.step));
      if (entry === undefined) {
        unexplained.push({ scenario, verdict });
      } else {
        used.add(entry);
        byReason.get(entry.reason).push({ scenario, verdict });
      }
    }
  }
  return {
    explained: [...byReason]
      .filter(([, differences]) => differences.length > 0)
      .map(([reason, differences]) => ({ reason, differences })),
    unexplained,
    idle: names.filter((entry) => !used.has(entry)),
  };
}

/** As the formatter of the repository wants it: a list is on one line where it fits. @param {KnownDifference[]} known */
export function formatKnownDifferences(known) {
  const entries = known.map(({ reason, steps }) => {
    const scenarios = Object.entries(steps).map(([scenario, names]) => formatList(scenario, names));
    return `  {\n    "reason": ${JSON.stringify(reason)},\n    "steps": {\n${scenarios.join(',\n')}\n    }\n  }`;
  });
  return entries.length === 0 ? '[]\n' : `[\n${entries.join(',\n')}\n]\n`;
}

function formatList(scenario, names) {
  const texts = names.map((name) => JSON.stringify(name));
  const line = `      "${scenario}": [${texts.join(', ')}]`;
  // One column is for the comma after it.
  if (line.length < lineWidth) return line;
  return `      "${scenario}": [\n${texts.map((text) => `        ${text}`).join(',\n')}\n      ]`;
}

/**
 * The reasons without idle names.
 *
 * @returns {KnownDifference[]}
 */
export function withoutIdle(known, idle) {
  const isIdle = (reason, scenario, name) =>
    idle.some((entry) => entry.reason === reason && entry.scenario === scenario && entry.name === name);
  return known
    .map(({ reason, steps }) => ({
      reason,
      steps: Object.fromEntries(
        Object.entries(steps)
          .map(([scenario, list]) => [scenario, list.filter((name) => !isIdle(reason, scenario, name))])
          .filter(([, list]) => list.length > 0),
      ),
    }))
    .filter(({ steps }) => Object.keys(steps).length > 0);
}

const patternOf = (name) =>
  new RegExp(
    `^${name
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );
