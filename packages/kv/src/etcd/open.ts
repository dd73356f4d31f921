import { KVError, type KV } from '../interface/index.js';
import { EtcdKV } from './etcd-kv.js';
import { kvErrorOf } from './errors.js';
import type { EtcdKVOptions } from './options.js';

const CONNECT_TIMEOUT_MILLISECONDS = 20_000;

/**
 * A store in a cluster of etcd, 3.4 or newer, which may be shared with any number of other clients: a key they write is
 * seen here, and a revision is one revision everywhere. What is acknowledged, a majority of etcd's members has on disk.
 *
 * Rejects with {@link KVError} `unavailable` when the cluster cannot be reached in time or does not let the user in, and
 * with a `RangeError` for options that cannot be meant. Once open it reconnects by itself, to whichever endpoint answers:
 * requests wait for that as long as their time allows; a write that was sent to a connection that then broke rejects as
 * `unavailable`, for it may or may not have happened; watches go on after what they have delivered.
 */
export async function openEtcdKV(options: EtcdKVOptions): Promise<KV> {
  const kv = new EtcdKV(options);
  try {
    await kv.connect(options.connectTimeoutMilliseconds ?? CONNECT_TIMEOUT_MILLISECONDS);
    return kv;
  } catch (error) {
    await kv.close();
    const failure = kvErrorOf(error);
    if (failure instanceof KVError) throw failure;
    throw new KVError('unavailable', `etcd at ${options.endpoints.join(', ')} cannot be used`, { cause: error });
  }
}
