import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, credentialsOf, openWatches } from './client.mjs';
import { cpuSecondsOf, memoryBytesOf, threadMillisecondsOf } from './processes.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
/** The command of `npm start`. */
const command = join(root, 'packages/binnacle/bundle/cli/main.js');
const probe = join(root, 'bench/support/memory-probe.mjs');
const MEDIA_TYPES = { json: 'application/json', protobuf: 'application/vnd.kubernetes.protobuf' };

/** The store of one benchmark, which consecutive servers share. */
export class Store {
  /** `embedded`, `memory` or `etcd`; `+json` or `+protobuf` adds the storage encoding. */
  name;
  folder = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  #etcd;

  /** Starts an etcd if the store needs one. */
  static async open(name) {
    const store = new Store();
    store.name = name;
    if (name.startsWith('etcd')) {
      const { EtcdProcess } = await import(join(root, 'packages/kv/dist/testing/index.js'));
      store.#etcd = await EtcdProcess.start(['--quota-backend-bytes=8589934592']);
    }
    return store;
  }

  get flags() {
    const [name, encoding] = this.name.split('+');
    const stored = encoding === undefined ? [] : ['--storage-media-type', MEDIA_TYPES[encoding]];
    if (name === 'memory') return ['--in-memory', ...stored];
    const data = ['--data-dir', join(this.folder, 'data'), ...stored];
    return this.#etcd === undefined ? data : [...data, '--etcd-servers', this.#etcd.endpoint];
  }

  /** CPU of etcd. */
  cpuSeconds() {
    return this.#etcd === undefined ? 0 : cpuSecondsOf(this.#etcd.pid);
  }

  /** Memory of etcd. `field`: see {@link memoryBytesOf}. */
  memoryBytes(field) {
    return this.#etcd === undefined ? 0 : memoryBytesOf(this.#etcd.pid, field);
  }

  async close() {
    await this.#etcd?.stop();
    rmSync(this.folder, { recursive: true });
  }
}

/** A server in its own process, by default without control loops, which would distort the figures. */
export class Server {
  /** From the start of the process until `/readyz` succeeds. */
  readyMilliseconds = 0;
  #child;
  #url;
  #kubeconfig;

  /**
   * `probed` loads the memory probe, which {@link heap} needs, and exposes the garbage collector. `program` is another checkout's command, `flags` are
   * further ones, `nodeFlags` those of Node.js.
   */
  static async start(
    store,
    { probed = false, program = command, controllers = '', flags: more = [], nodeFlags = [] } = {},
  ) {
    const server = new Server();
    const kubeconfig = join(store.folder, 'kubeconfig');
    const start = performance.now();
    const flags = [
      'serve',
      ...store.flags,
      `--controllers=${controllers}`,
      // The limits of control loops would decide on the figures. Earlier commands have no such flags, and run no loops here.
      ...(controllers === '' ? [] : ['--kube-api-qps=10000', '--kube-api-burst=10000', '--scheduler=false']),
      '--secure-port',
      '0',
      '--write-kubeconfig',
      kubeconfig,
      ...more,
    ];
    server.#child = spawn(
      process.execPath,
      [...(probed ? ['--expose-gc', '--import', probe] : []), ...nodeFlags, program, ...flags],
      { stdio: ['ignore', 'pipe', 'inherit', ...(probed ? ['ipc'] : [])] },
    );
    server.#url = await servedAt(server.#child);
    server.#kubeconfig = readFileSync(kubeconfig, 'utf8');
    const client = server.connect();
    await client.send('GET', '/readyz');
    server.readyMilliseconds = performance.now() - start;
    client.close();
    return server;
  }

  /** One connection, of the administrator or of the user of a token. */
  connect(token) {
    return new Client(this.#url, this.credentials(token));
  }

  /** What a {@link Client} needs. */
  credentials(token) {
    return credentialsOf(this.#kubeconfig, token);
  }

  get url() {
    return this.#url;
  }

  get pid() {
    return this.#child.pid;
  }

  /** See {@link openWatches}. */
  watches(count, target, events) {
    return openWatches(() => this.connect(), count, target, events);
  }

  /** User and system. */
  cpuSeconds() {
    return cpuSecondsOf(this.#child.pid);
  }

  /** CPU of the main thread, which serves requests. */
  threadMilliseconds() {
    return threadMillisecondsOf(this.#child.pid);
  }

  /** Anonymous resident bytes. The memory map of the embedded store and the program's code do not count. */
  anonymousBytes() {
    return this.memoryBytes('RssAnon');
  }

  residentBytes() {
    return this.memoryBytes('VmRSS');
  }

  /** `field`: see {@link memoryBytesOf}. */
  memoryBytes(field) {
    return memoryBytesOf(this.#child.pid, field);
  }

  /** The figures of the memory probe. */
  async heap(request) {
    this.#child.send(request);
    const [answer] = await once(this.#child, 'message');
    return answer;
  }

  async stop() {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}

function servedAt(child) {
  return new Promise((done, failed) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const url = /https:\/\/\S+/.exec(text)?.[0];
      if (url !== undefined && text.includes('\n')) done(url);
    });
    child.once('exit', (code) => failed(new Error(`the server ended with ${code}`)));
  });
}
