/** Plays scenarios, several at once. */
import { judge } from './compare.mjs';
import { Play } from './play.mjs';
import { combine } from './record.mjs';
import { readRecordings, writeRecordings } from './scenarios.mjs';

/** If most nodes were unready at once, none of them would be drained. */
const NODE_SCENARIOS_AT_ONCE = 2;
/** A recording keeps what so many plays agree on. */
const PLAYS_OF_A_RECORDING = 3;

/** `nodes` are the names of the server's nodes, `jobs` how many scenarios play at once. */
export class Player {
  #options;
  #namespaces = [];

  constructor({ connection, nodes, patience, jobs }) {
    this.#options = { connection, nodes, patience, jobs };
  }

  /** Calls `done({ scenario, seconds, verdict, differences })` after each. A verdict `unrecorded` has the `steps`. */
  compare(scenarios, done) {
    const recordings = new Map(scenarios.map(({ area }) => [area, readRecordings(area)]));
    return this.#each(scenarios, async (scenario) => {
      const { name, area } = scenario;
      const recorded = recordings.get(area)[name.slice(area.length + 1)];
      const start = Date.now();
      // Recordings are JSON, so undefined fields must not count as differences.
      const steps = JSON.parse(JSON.stringify(await this.#play(scenario)));
      const judged =
        recorded === undefined ? { verdict: 'unrecorded', differences: [], steps } : judge(recorded, steps);
      done({ scenario: name, area, seconds: Math.round((Date.now() - start) / 1000), ...judged });
    });
  }

  /** Plays each several times and writes what the plays agree on. */
  record(scenarios, done) {
    return this.#each(scenarios, async (scenario) => {
      const { name, area, ownsNodes } = scenario;
      const plays = [];
      for (let count = 0; count < PLAYS_OF_A_RECORDING; count++) {
        const playing = this.#play(scenario);
        plays.push(playing);
        if (ownsNodes) await playing;
      }
      const recording = combine(await Promise.all(plays));
      writeRecordings(area, { ...readRecordings(area), [name.slice(area.length + 1)]: recording });
      done({ scenario: name, unsettled: recording.filter(({ ok }) => ok === false).map(({ settled }) => settled) });
    });
  }

  /** Deletes the namespaces of all plays. Many at once during the plays would keep the namespace controller busy. */
  async clean() {
    for (const name of this.#namespaces) {
      await this.#options.connection.send('DELETE', `/api/v1/namespaces/${name}`);
    }
  }

  #play({ name, run, ownsNodes }) {
    const { connection, nodes, patience } = this.#options;
    const play = new Play(name, { connection, nodes: ownsNodes ? [] : nodes, ownsNodes, patience });
    this.#namespaces.push(play.namespace);
    return play.play(run);
  }

  /** The slow ones start first; those that own all nodes are alone. */
  async #each(scenarios, act) {
    const shared = scenarios.filter(({ ownsNodes }) => !ownsNodes).sort((a, b) => b.slow - a.slow);
    const aboutNodes = shared.filter(({ area }) => area === 'nodes');
    const others = shared.filter(({ area }) => area !== 'nodes');
    await Promise.all([
      inLanes(others, this.#options.jobs, act),
      inLanes(aboutNodes, Math.min(this.#options.jobs, NODE_SCENARIOS_AT_ONCE), act),
    ]);
    for (const scenario of scenarios.filter(({ ownsNodes }) => ownsNodes)) await act(scenario);
  }
}

async function inLanes(items, lanes, act) {
  const rest = [...items];
  const lane = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
