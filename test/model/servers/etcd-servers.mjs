import { openEtcdKV } from '@binnacle/kv/etcd';
import { EtcdProcess, Link } from '@binnacle/kv/testing';
import { ServerProcess } from './server.mjs';

/**
 * The command as users start it, once or several times, over one real etcd with its own faults. Each server fault
 * hits one of the servers, in turn; each connection of a client goes to any of them.
 */
export class EtcdServers {
  #options;
  #etcd;
  #link;
  /** Requests compactions, without passing the link. */
  #kv;
  /** The running servers, by index. */
  #running = [];
  #servers = [];
  #paused;
  #turn = 0;
  durable = true;
  compacts = true;
  restarts = true;

  /** @param {{ replicas?: number, binary?: string, serveArguments?: string[] }} options `binary`: etcd's */
  constructor({ replicas = 1, ...options }) {
    this.#options = { replicas, ...options };
  }

  /** The faults of the store alone. */
  store = {
    kill: () => this.#etcd.end('SIGKILL'),
    start: () => this.#etcd.resume(),
    pause: () => this.#etcd.freeze(),
    resume: () => this.#etcd.thaw(),
    cut: () => this.#link.cut(),
  };

  get errors() {
    return this.#servers.map(({ errors }) => errors).join('');
  }

  async start() {
    const { replicas, binary, serveArguments = [] } = this.#options;
    this.#etcd ??= await EtcdProcess.start({ binary });
    this.#link ??= await Link.to(this.#etcd.endpoint);
    this.#kv ??= await openEtcdKV({ endpoints: [this.#etcd.endpoint] });
    const where = ['--etcd-servers', this.#link.endpoint, ...serveArguments];
    for (let index = 0; index < replicas; index++) {
      // Its data directory only has its certificates.
      this.#servers[index] ??= new ServerProcess({ build: 'command', store: 'embedded', serveArguments: where });
    }
    await Promise.all(
      this.#servers.map(async (server, index) => {
        if (this.#running[index] === undefined) await server.start();
        this.#running[index] = server;
      }),
    );
  }

  /** Takes one of the servers out of the running ones. */
  #take() {
    this.#turn += 1;
    const index = this.#turn % this.#servers.length;
    this.#running[index] = undefined;
    return this.#servers[index];
  }

  kill() {
    return this.#take().kill();
  }

  end() {
    return this.#take().end();
  }

  pause() {
    this.#turn += 1;
    this.#paused = this.#servers[this.#turn % this.#servers.length];
    this.#paused.pause();
  }

  resume() {
    this.#paused.resume();
  }

  access() {
    this.#turn += 1;
    const running = this.#running.filter((server) => server !== undefined);
    const server = running[this.#turn % running.length];
    if (server === undefined) throw new Error('no server runs');
    return server.access();
  }

  /** Compacts all but the last `back` revisions; resolves the revision. */
  async compact(back) {
    const { revision, compactedRevision } = await this.#kv.status();
    const target = Math.max(compactedRevision, revision - back, 1);
    await this.#kv.compact(target);
    return target;
  }

  async dispose() {
    await Promise.all(this.#servers.map((server) => server.dispose()));
    await this.#kv?.close();
    this.#link?.close();
    await this.#etcd?.stop();
  }
}
