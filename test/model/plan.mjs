import { spawnSync } from 'node:child_process';
import { etcdBinaries } from '@binnacle/kv/testing';
import { faultsFor } from './faults.mjs';
import { Random } from './random.mjs';
import { EtcdServers } from './servers/etcd-servers.mjs';
import { LocalServer } from './servers/local-server.mjs';
import { main, ServerProcess } from './servers/server.mjs';

const RETENTION = ['--history-retention', '3s'];
/** A start of several processes takes longer, and the recording watch must find its events after it. */
const RETENTION_WITH_WORKERS = ['--history-retention', '10s'];
const UNCACHED = '--watch-cache=false';
/** The share of rounds with the command that run without the watch cache. */
const UNCACHED_SHARE = 0.2;
const ENCODING = '--storage-media-type';
const JSON_TYPE = 'application/json';
const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';
/** The share of rounds with the other encoding. All servers of a store use the same one; otherwise each would re-encode what others wrote. */
const ENCODED_SHARE = 0.3;

/**
 * Derives a round from a seed: the build, the delay of events, and the faults; the rest follows inside the round. Not
 * every store supports every build.
 *
 * @param {{ seed: number, store: 'embedded' | 'memory' | 'etcd', build?: 'command' | 'test' | 'replicas', seconds:
 * number, workers?: number }} options `workers`: of the command
 */
export function planRound(options) {
  if (options.store === 'etcd') return planEtcd(options);
  return options.build === 'replicas' ? planReplicas(options) : planProcess(options);
}

function planProcess({ seed, store, build, seconds, workers = 1 }) {
  const random = new Random(seed, 'plan');
  // The product as users start it, or the test build, which can compact on demand and lag.
  const chosen = random.pick(['command', 'test']);
  const lagMs = random.pick([0, 15, 60]);
  const unreliable = random.chance(0.4);
  const actual = build ?? chosen;
  const flaky = actual === 'test' && unreliable;
  const retains = actual === 'command' && commandForgets();
  const uncached = new Random(seed, 'reads').chance(UNCACHED_SHARE) && actual === 'command';
  const encoded = new Random(seed, 'encoding').chance(ENCODED_SHARE) && actual === 'command';
  const server = new ServerProcess({
    build: actual,
    store,
    workers,
    ...(actual === 'test' ? { lagMs, flaky } : {}),
    serveArguments: [
      ...(retains ? (workers > 1 ? RETENTION_WITH_WORKERS : RETENTION) : []),
      ...(uncached ? [UNCACHED] : []),
      ...(encoded ? [ENCODING, PROTOBUF_TYPE] : []),
      ...workersArguments(workers),
    ],
  });
  const text = [
    `seed ${seed}: ${actual} build`,
    `${store} store`,
    ...(actual === 'test' && lagMs > 0 ? [`lag ${lagMs} ms`] : []),
    ...(flaky ? ['flaky'] : []),
    ...(uncached ? ['no watch cache'] : []),
    ...(encoded ? ['protobuf'] : []),
    ...(workers > 1 ? [`${workers} workers`] : []),
  ].join(', ');
  return { text, server, round: { seed, seconds, faults: faultsFor(server), retains, flaky } };
}

/** Several servers over one store, in this process. */
function planReplicas({ seed, seconds }) {
  const random = new Random(seed, 'plan');
  const lagMs = random.pick([10, 40, 100]);
  const flaky = random.chance(0.4);
  const server = new LocalServer({ replicas: 3, lagMs, flaky });
  const text = `seed ${seed}: three servers, memory store, lag ${lagMs} ms${flaky ? ', flaky' : ''}`;
  return { text, server, round: { seed, seconds, faults: faultsFor(server), flaky } };
}

/** The command over a real etcd with its own faults: one server or several. */
function planEtcd({ seed, build, seconds, workers = 1 }) {
  const random = new Random(seed, 'plan');
  const { path, version } = random.pick(etcdBinaries());
  const replicas = random.chance(0.4) ? 3 : 1;
  // Either the servers compact on their own, or the round does.
  const retains = random.chance(0.3);
  const actual = build === undefined ? replicas : build === 'replicas' ? 3 : 1;
  const uncached = new Random(seed, 'reads').chance(UNCACHED_SHARE);
  const encoded = new Random(seed, 'encoding').chance(ENCODED_SHARE);
  const serveArguments = [
    '--etcd-compaction-interval',
    retains ? '3s' : '0',
    ...(uncached ? [UNCACHED] : []),
    ...(encoded ? [ENCODING, JSON_TYPE] : []),
    ...workersArguments(workers),
  ];
  const server = new EtcdServers({ replicas: actual, binary: path, serveArguments });
  const text = [
    `seed ${seed}: ${actual === 1 ? 'one server' : `${actual} servers`}`,
    `etcd ${version}`,
    ...(retains ? ['compacting'] : []),
    ...(uncached ? ['no watch cache'] : []),
    ...(encoded ? ['JSON'] : []),
    ...(workers > 1 ? [`${workers} workers`] : []),
  ].join(', ');
  return { text, server, round: { seed, seconds, faults: faultsFor(server), retains, flaky: true } };
}

const workersArguments = (workers) => (workers > 1 ? ['--workers', String(workers)] : []);

let forgets;

/** Whether the command supports an option for history retention. */
function commandForgets() {
  forgets ??= spawnSync(process.execPath, [main, 'serve', '--help'], { encoding: 'utf8' }).stdout.includes(
    RETENTION[0],
  );
  return forgets;
}
