import type { StartOptions } from './options.js';
import { usageError } from '../start-error.js';

export function checkEtcd({ etcdServers, etcdUsername, etcdCompactionIntervalMs = 0, inMemory }: StartOptions): void {
  if (etcdServers !== undefined && inMemory === true)
    throw usageError('--etcd-servers and --in-memory cannot be combined');
  if (etcdServers?.split(',').some((server) => server.trim() === '') === true) {
    throw usageError(
      `--etcd-servers ${JSON.stringify(etcdServers)} is not a list of addresses, such as https://10.0.0.5:2379`,
    );
  }
  if (etcdUsername === '') throw usageError('--etcd-username is empty');
  if (!(etcdCompactionIntervalMs >= 0))
    throw usageError('--etcd-compaction-interval must not be negative; 0 turns it off');
}
