import { spawnSync } from 'node:child_process';
import { faultsFor } from './faults.mjs';
import { Random } from './random.mjs';
import { main, ServerProcess } from './servers/server.mjs';

const RETENTION = ['--history-retention', '8s'];

/**
 * What a seed means: which build, how late its events come, and with that which faults; all else follows inside the round.
 *
 * @param {{ seed: number, store: 'embedded' | 'memory', build?: 'command' | 'test', seconds: number }} options
 */
export function planRound({ seed, store, build, seconds }) {
  const random = new Random(seed, 'plan');
  // The product as users start it, and the test build, which can compact on demand, and lag.
  const chosen = random.pick(['command', 'test']);
  const lagMs = random.pick([0, 15, 60]);
  const actual = build ?? chosen;
  const retains = actual === 'command' && commandForgets();
  const server = new ServerProcess({
    build: actual,
    store,
    ...(actual === 'test' ? { lagMs } : {}),
    ...(retains ? { serveArguments: RETENTION } : {}),
  });
  const text = `seed ${seed}: ${actual} build, ${store} store${actual === 'test' && lagMs > 0 ? `, lag ${lagMs} ms` : ''}`;
  return { text, server, round: { seed, seconds, faults: faultsFor(server), retains } };
}

let forgets;

/** Whether the command can be told how long to keep history. */
function commandForgets() {
  forgets ??= spawnSync(process.execPath, [main, 'serve', '--help'], { encoding: 'utf8' }).stdout.includes(
    RETENTION[0],
  );
  return forgets;
}
