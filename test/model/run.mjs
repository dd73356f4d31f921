/**
 * Plays rounds for as long as you like: `npm run model -- --minutes 10 --seed 1 --store embedded`. A round with a
 * violation prints its seed and saves its history; `--check FILE` checks a saved history.
 */
import { parseArgs } from 'node:util';
import { check } from './checker/check.mjs';
import { History } from './history.mjs';
import { planRound } from './plan.mjs';
import { complaint, summary } from './report.mjs';
import { playRound } from './round.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string' },
    store: { type: 'string', default: 'embedded' },
    build: { type: 'string' },
    workers: { type: 'string' },
    check: { type: 'string' },
  },
});

if (values.check === undefined) await playRounds();
else checkFile(values.check);

async function playRounds() {
  const { store, build } = values;
  const workers = Number(values.workers ?? 1);
  const seconds = Number(values.seconds);
  const first = Number(values.seed ?? Date.now() % 1_000_000);
  const end = performance.now() + Number(values.minutes) * 60_000;
  if (
    !['embedded', 'memory', 'etcd'].includes(store) ||
    !['command', 'test', 'replicas', undefined].includes(build) ||
    !(end > 0 && seconds > 0 && workers >= 1) ||
    (workers > 1 && (build ?? 'command') !== 'command')
  ) {
    console.error(
      'usage: --minutes N --seconds N (of a round) --seed N --store embedded|memory|etcd --build command|test|replicas --workers N (of the command) --check FILE',
    );
    process.exit(2);
  }
  let failed = 0;
  for (let seed = first; seed === first || performance.now() < end; seed++) {
    const { text, server, round } = planRound({
      seed,
      store,
      build: workers > 1 ? 'command' : build,
      seconds,
      workers,
    });
    const history = await playRound(server, round);
    const result = check(history);
    console.log(`${text}: ${summary(result)}`);
    if (result.violations.length === 0) continue;
    failed += 1;
    console.log(complaint({ text, history, violations: result.violations, server }));
  }
  process.exitCode = failed === 0 ? 0 : 1;
}

function checkFile(file) {
  const history = History.load(file);
  const result = check(history);
  console.log(`${file}: ${summary(result)}`);
  for (const { predicate, text, entry } of result.violations)
    console.log(`  ${predicate}: ${text}\n    ${JSON.stringify(entry)}`);
  process.exitCode = result.violations.length === 0 ? 0 : 1;
}
