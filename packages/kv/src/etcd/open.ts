import { KVError, type KV } from '../interface/index.js';
import { EtcdKV } from './etcd-kv.js';
import { kvErrorOf } from './errors.js';
import type { EtcdKVOptions } from './options.js';

const CONNECT_TIMEOUT_MILLISECONDS = 20_000;

/**
 * Opens a store in an etcd cluster, 3.4 or newer. It may have any number of other clients: keys they write are visible
 * here, and revisions are the same for all. An acknowledged write is on disk on a majority of members.
 *
 * Rejects with {@link KVError} `unavailable` if the cluster cannot be reached in time or rejects the user, and with a
 * `RangeError` for invalid options. An open store reconnects automatically to any endpoint that answers. Requests wait for
 * that until their deadline. A write on a connection that breaks rejects as `unavailable`, because its outcome is
 * unknown. Watches continue after what they have delivered.
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
