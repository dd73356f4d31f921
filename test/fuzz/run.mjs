/**
 * Runs random requests: `npm run fuzz -- --requests 1000000 --seed 7`. It prints each finding with the numbers of the
 * requests that may have caused it; `--only 17,18` with the same seed plays only those.
 */
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.mjs';
import { growth } from './growth.mjs';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    silence: { type: 'string', default: '200' },
    only: { type: 'string' },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const only = values.only?.split(',').map(Number);
const began = performance.now();
const { findings, statuses, heaps } = await fuzz({
  count: Number(values.requests),
  seed,
  silenceMs: Number(values.silence),
  only,
});
for (const { what, text, requests } of findings) console.log(`\n${what}: ${text}\n  ${requests.join('\n  ')}`);
const seconds = Math.round((performance.now() - began) / 1000);
console.log(
  `seed ${seed}, ${values.requests} requests in ${seconds} s: ${findings.length} findings, statuses ${JSON.stringify(statuses)}`,
);
if (heaps.length > 0) {
  const megabytes = heaps.map((bytes) => Math.round(bytes / 1e6));
  console.log(`memory after each round, MB: ${megabytes.join(' ')}; growth ${Math.round(growth(heaps) / 1e6)}`);
}
process.exitCode = findings.length === 0 ? 0 : 1;
