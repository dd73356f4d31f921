import { runScenario } from './run.mjs';
import { loadScenario, scenarioNames } from './scenarios.mjs';
import { startServer } from './server.mjs';

/**
 * Plays scenarios on servers of this build: those that share one first, in order, then the others side by side.
 *
 * @param {{ only?: string[], each?: (name: string, verdicts: import('./judge.mjs').Verdict[]) => void }} [options]
 * @returns {Promise<import('./run.mjs').Run>} in the order in which they end
 */
export async function runAll({ only = scenarioNames(), each = () => {} } = {}) {
  const { together, alone } = await arranged(only);
  /** @type {import('./run.mjs').Run} */
  const run = {};
  const keep = (name, verdicts) => {
    run[name] = verdicts;
    each(name, verdicts);
  };
  if (together.length > 0) {
    const server = await startServer();
    try {
      for (const name of together) keep(name, await runScenario(name, server));
    } finally {
      await server.stop();
    }
  }
  // They spend most of their time waiting for deadlines.
  await Promise.all(alone.map(async (name) => keep(name, await runAlone(name))));
  return run;
}

/** Runs a scenario on a server of its own. @returns {Promise<import('./judge.mjs').Verdict[]>} */
export async function runAlone(name) {
  const server = await startServer(await loadScenario(name));
  try {
    return await runScenario(name, server);
  } finally {
    await server.stop();
  }
}

/** Which of the scenarios share a server, and which need one of their own. */
export async function arranged(names = scenarioNames()) {
  const scenarios = await Promise.all(names.map(async (name) => ({ name, fresh: (await loadScenario(name)).fresh })));
  const named = (fresh) => scenarios.filter((scenario) => scenario.fresh === fresh).map(({ name }) => name);
  return { together: named(false), alone: named(true) };
}
