import type { ManagerStatus } from '@binnacle/controllers/status';
import type { KV } from '@binnacle/kv';
import { type LoopHost, startLoops, startNodes, startScheduler } from './control-loops.js';
import type { ServerCredentials } from './credentials.js';
import { afterFirstWrite } from './first-write.js';
import type { InputFiles } from './input-files.js';
import { loopSettingsOf } from './loop-settings.js';
import type { StartConfig } from './options/config.js';
import type { ClientConfig } from './options/options.js';

export interface ClientParts {
  readonly kv: KV;
  readonly config: StartConfig;
  readonly files: InputFiles;
  readonly credentials: ServerCredentials;
  readonly clientConfig: ClientConfig;
  readonly status: ManagerStatus;
}

type Stop = () => Promise<void>;

/**
 * Starts all clients in this process; a worker has none. Returns the function that stops them together. The loops of a fork start after its
 * first write, because the parent's loops have seen all before it.
 */
export function startClients(host: LoopHost, parts: ClientParts): Stop {
  const { config, files, clientConfig } = parts;
  if (host.parts.isWorker === true) return () => Promise.resolve();
  const stops: Stop[] = [
    startNodes(host, config, {
      imageCommands: files.imageCommands,
      server: { url: clientConfig.server, certificateAuthority: clientConfig.certificateAuthority },
    }),
  ];
  const start = (): void => void stops.push(...startAllLoops(host, parts));
  if (host.parts.isFork === true) {
    const waiting = afterFirstWrite(parts.kv, host.parts.clock, start);
    stops.push(async () => waiting[Symbol.dispose]());
  } else {
    start();
  }
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}

function startAllLoops(host: LoopHost, parts: ClientParts): Stop[] {
  const { config, files, credentials, clientConfig, status } = parts;
  // Any number of servers may share an etcd, and only one of them runs control loops.
  const isShared = files.etcd !== undefined;
  const loops = {
    loops: config.loops,
    certificateAuthority: clientConfig.certificateAuthority,
    // The caches of workers, like those of other servers on one etcd, are a moment behind the store.
    isSoleServer: !isShared && config.workers === 1,
    leaderElection: isShared,
    loadBalancerIPRange: config.loadBalancerIPRange ?? '',
    settings: loopSettingsOf(config, files, credentials),
    status,
  };
  const scheduler = { leaderElection: isShared, status, read: files.scheduler };
  return [startLoops(host, loops), ...(config.scheduler ? [startScheduler(host, scheduler)] : [])];
}
