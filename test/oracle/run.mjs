import { judge } from './judge.mjs';
import { play } from './play.mjs';
import { loadRecording, loadScenario } from './scenarios.mjs';

/**
 * All verdicts of a run, by scenario.
 *
 * @typedef {Record<string, import('./judge.mjs').Verdict[]>} Run
 */

/**
 * How many steps of a scenario are exact and have the status as recorded, out of all.
 *
 * @typedef {{ exact: number, status: number, steps: number }} Counts
 */

/**
 * Plays a scenario, with its world around it.
 *
 * @param {import('./scenarios.mjs').Scenario} scenario
 * @param {{ url: string, token: string, dir?: string }} server `dir`: the folder of its files, for scenarios that read them
 * @param {import('./play.mjs').Result[]} [recorded]
 * @returns {Promise<import('./play.mjs').Result[]>}
 */
export async function playScenario({ setup, steps }, { url, token, dir }, recorded) {
  const world = await setup({ url, token, dir });
  try {
    return await play(steps, { url, token }, world, recorded);
  } finally {
    await world.teardown?.();
  }
}

/**
 * @param {string} name
 * @param {{ url: string, token: string, dir?: string }} server
 * @returns {Promise<import('./judge.mjs').Verdict[]>}
 */
export async function runScenario(name, server) {
  const recorded = loadRecording(name);
  return judge(recorded, await playScenario(await loadScenario(name), server, recorded));
}

/** @param {import('./judge.mjs').Verdict[]} verdicts @returns {Counts} */
export function countOf(verdicts) {
  return {
    exact: verdicts.filter((verdict) => verdict.exact).length,
    status: verdicts.filter((verdict) => verdict.status).length,
    steps: verdicts.length,
  };
}

/** @param {Run} run @param {string[]} [scenarios] default: all of the run @returns {Counts} */
export const countOfRun = (run, scenarios = Object.keys(run)) => countOf(scenarios.flatMap((name) => run[name] ?? []));
