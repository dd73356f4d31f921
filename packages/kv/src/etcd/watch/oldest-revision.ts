import type { Client } from '@grpc/grpc-js';
import type { Clock } from '@binnacle/apimachinery/clock';
import { KVError } from '../../interface/index.js';
import type { Credentials } from '../connection/authentication.js';
import { WatchStream } from './watch-stream.js';

const TIMEOUT_MILLISECONDS = 1000;

/**
 * Learns etcd's oldest revision. Etcd reports it only to a watch that begins before it, so `compacted` must be
 * compacted. Resolves with 0 if the member does not report it soon: it is behind the others.
 */
export function fetchOldestRevision(
  client: Client,
  credentials: Credentials,
  { key, compacted }: { readonly key: Buffer; readonly compacted: number },
  clock: Clock,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const over = (): void => {
      late[Symbol.dispose]();
      stream.cancel();
    };
    const late = clock.setTimer(() => {
      over();
      resolve(0);
    }, TIMEOUT_MILLISECONDS);
    const stream = new WatchStream(client, credentials, {
      answer: ({ compactRevision, canceled, cancelReason }) => {
        if (compactRevision === 0 && !canceled) return;
        over();
        if (compactRevision > 0) resolve(compactRevision);
        else reject(new KVError('unavailable', `etcd does not allow watching its history: ${cancelReason}`));
      },
      ended: (error) => {
        late[Symbol.dispose]();
        reject(new KVError('unavailable', `etcd: ${error.message}`, { cause: error }));
      },
    });
    stream.send({ type: 'create', watchId: 1, key, rangeEnd: Buffer.alloc(0), startRevision: compacted });
  });
}
