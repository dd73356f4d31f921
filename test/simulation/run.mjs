/**
 * Plays many seeds: `npm run simulate -- --seeds 1000 --seed 1`. Prints the report of each seed that fails, and a line at
 * the end. `--until STEP` plays one seed to the event before and prints its objects.
 */
import { parseArgs } from 'node:util';
import { reportOf, simulate } from '@binnacle/simulation';
import { scenarioOfSeed } from './scenario-of-seed.mjs';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    until: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const [first, seeds] = [Number(values.seed), Number(values.seeds)];
if (!Number.isSafeInteger(first) || !(seeds > 0)) {
  console.error('usage: --seeds N --seed FIRST --until STEP --verbose');
  process.exit(2);
}

const before = process.cpuUsage();
let [failed, events, virtual] = [0, 0, 0];
const last = values.until === undefined ? first + seeds - 1 : first;
const stopBefore = values.until === undefined ? undefined : Number(values.until);
for (let seed = first; seed <= last; seed++) {
  const result = await simulate({ seed, scenario: scenarioOfSeed(seed), stopBefore });
  events += result.steps;
  virtual += result.elapsed;
  if (result.failure !== undefined) failed++;
  if (values.until !== undefined) {
    for (const line of result.history.slice(-100)) console.log(line);
    for (const object of result.state.objects()) {
      if (object.metadata.namespace === 'default') console.log(JSON.stringify(object));
    }
  } else if (result.failure !== undefined || values.verbose) process.stdout.write(reportOf(result));
}
const { user, system } = process.cpuUsage(before);
const hours = (virtual / 3_600_000).toFixed(1);
const seconds = ((user + system) / 1e6).toFixed(1);
console.log(
  `${last - first + 1} seeds, ${failed} failed: ${events} events in ${hours} virtual hours, ${seconds} s of CPU`,
);
process.exitCode = failed === 0 ? 0 : 1;
