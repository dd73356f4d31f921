/** Writes higher counts of the current run to test/oracle/floors.json, and never a lower one. Runs on built packages. */
import { lowered, raised, readFloors, writeFloors } from './floors.mjs';
import { countOf } from '../test/oracle/run.mjs';
import { currentRun } from '../test/oracle/saved-run.mjs';
import { floorsFile } from '../test/oracle/scenarios.mjs';

const run = await currentRun();
const counts = Object.fromEntries(
  Object.entries(run).map(([scenario, verdicts]) => {
    const { exact, status } = countOf(verdicts);
    return [scenario, { exact, status }];
  }),
);
const before = readFloors(floorsFile);
const after = raised(before, counts);
writeFloors(floorsFile, after);

const rises = lowered(after, before).length;
console.log(rises === 0 ? 'no count is above its floor' : `${rises} floors raised`);
for (const fault of lowered(before, counts)) {
  console.error(`not lowered: ${fault}`);
  process.exitCode = 1;
}
