import type { Duplex } from 'node:stream';
import type { KV } from '../interface/index.js';
import { CommitFeed } from './commit-feed.js';
import { Session } from './session.js';

/** Serves a store of this process to others. */
export interface KVServer {
  /** Serves one client, on a stream that only it can use. Takes ownership of the stream. */
  serve(stream: Duplex): void;
  /** Ends all clients. The caller closes the store. */
  close(): void;
}

/** `kv`: a store in this process; the caller keeps it open. Rejects with a `KVError`. */
export async function createKVServer(kv: KV): Promise<KVServer> {
  const feed = await CommitFeed.open(kv);
  const sessions = new Set<Session>();
  return {
    serve(stream) {
      const session = new Session(kv, feed, stream, () => sessions.delete(session));
      sessions.add(session);
    },
    close() {
      feed.close();
      for (const session of sessions) session.close();
    },
  };
}
