import { duplexPair } from 'node:stream';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { KV } from '../interface/index.js';
import { openMemoryKV } from '../memory/index.js';
import { createKVServer, type KVServer, openSocketKV } from './index.js';

/** A client of this store. */
export function connectTo(server: KVServer): Promise<KV> {
  const [near, far] = duplexPair();
  server.serve(far);
  return openSocketKV({ stream: near });
}

/** A client of a new store in memory, which closes with the client. */
export async function openServed({ clock }: { readonly clock: Clock }): Promise<KV> {
  const kv = openMemoryKV({ clock });
  const server = await createKVServer(kv);
  const client = await connectTo(server);
  const close = client.close.bind(client);
  client.close = async () => {
    await close();
    server.close();
    await kv.close();
  };
  client[Symbol.asyncDispose] = () => client.close();
  return client;
}
