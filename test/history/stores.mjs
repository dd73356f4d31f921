import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@binnacle/apiserver';
import { openEmbeddedKV } from '@binnacle/kv/embedded';
import { openEtcdKV } from '@binnacle/kv/etcd';
import { etcdBinaries, EtcdProcess } from '@binnacle/kv/testing';
import { assemble } from '../../packages/binnacle/dist/embed/assemble.js';
import { defaultParts } from '../../packages/binnacle/dist/embed/start.js';
import { Client } from '../etcd/client.mjs';
import { proxyKV } from '../model/servers/proxy-kv.mjs';

/** For {@link ServedStore.open}: members of etcd tell quiet watches how far they are so often, not every ten minutes. */
export const NOTICES = ['--experimental-watch-progress-notify-interval=200ms'];

/** The stores that keep what they are told, each to be opened as often as a server starts over it. */
export const stores = [
  {
    name: 'the embedded store',
    isEtcd: false,
    open: async (directory) => ({ openKV: () => openEmbeddedKV({ directory }), close: () => Promise.resolve() }),
  },
  ...etcdBinaries().map(({ path, version }) => ({
    name: `etcd ${version}`,
    isEtcd: true,
    version,
    open: async (_directory, flags) => {
      const etcd = await EtcdProcess.start({ binary: path, flags });
      return { openKV: () => openEtcdKV({ endpoints: [etcd.endpoint] }), close: () => etcd.stop() };
    },
  })),
];

/** A store with a server over it that can be started again; the store is compacted when the test says so, and then alone. */
export class ServedStore {
  #store;
  #directory;
  #server;
  kv;
  client;
  /** What the server has asked the store: prefixes that it read, and the answers to its requests for progress. */
  reads = [];
  progress = [];

  /** @param {(typeof stores)[number]} store @param {string[]} flags of etcd */
  static async open(store, flags = []) {
    const served = new ServedStore();
    served.#directory = await mkdtemp(join(tmpdir(), 'binnacle-history-'));
    served.#store = await store.open(join(served.#directory, 'store'), flags);
    return served;
  }

  async start(options) {
    const kv = await this.#store.openKV();
    this.kv = kv;
    this.#server = await assemble(
      { dataDirectory: join(this.#directory, 'data'), historyRetentionMs: 0, controllers: '', ...options },
      { ...defaultParts, openStore: () => Promise.resolve(this.#noted(kv)), startServer },
    );
    this.client = new Client(this.#server);
  }

  #noted(kv) {
    return proxyKV(kv, {
      range: (request, signal) => {
        this.reads.push(request.prefix);
        return kv.range(request, signal);
      },
      ...(kv.requestProgress === undefined
        ? {}
        : {
            requestProgress: () => {
              const answer = kv.requestProgress();
              this.progress.push(answer);
              return answer;
            },
          }),
    });
  }

  async end() {
    this.client?.close();
    await this.#server?.stop();
    this.#server = undefined;
  }

  async close() {
    await this.end();
    await this.#store.close();
    await rm(this.#directory, { recursive: true });
  }
}
