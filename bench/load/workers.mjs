/**
 * The same requests to a server with one process and to servers with workers, in turns: gets, creates, updates and watch
 * deliveries. The clients are a process of their own (`workers-clients.mjs`), with several connections. On a machine with few cores
 * they take the cores of the server, so each figure also has the CPU of server and clients. `busyCores` says how much of the
 * machine was used: figures of a machine that is full compare CPU, not cores.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median, megabytes, print, toDigits } from '../support/figures.mjs';
import { cpuSecondsOf, memoryBytesOf } from '../support/processes.mjs';
import { root, Server, Store } from '../support/server.mjs';

const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2' },
    objects: { type: 'string', default: '2000' },
    kilobytes: { type: 'string', default: '4' },
    connections: { type: 'string', default: '8' },
    watchers: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '3' },
    clients: { type: 'string', default: '1' },
    store: { type: 'string', default: 'embedded' },
  },
});
const FIGURES = ['create', 'get', 'update', 'watch delivery', 'delete'];

/** A server, and the clients of it. */
class Column {
  workers;
  #store;
  #server;
  #clients = [];
  #ended;

  static async open(workers) {
    const column = new Column();
    column.workers = workers;
    column.#store = await Store.open(options.store);
    column.#server = await Server.start(column.#store, { flags: workers === 1 ? [] : ['--workers', String(workers)] });
    const kubeconfig = readFileSync(join(column.#store.folder, 'kubeconfig'), 'utf8');
    column.#clients = Array.from({ length: Number(options.clients) }, (_, index) =>
      fork(join(root, 'bench/load/workers-clients.mjs'), [
        JSON.stringify({ ...options, url: column.#server.url, kubeconfig, index }),
      ]),
    );
    column.#ended = Promise.race(column.#clients.map((client) => once(client, 'exit')));
    await column.#answers();
    return column;
  }

  /** Requests, or deliveries, a second, and CPU. */
  async measure(figure) {
    const [server, clients] = [this.#serverCpu(), this.#clientCpu()];
    const start = performance.now();
    for (const client of this.#clients) client.send(figure);
    const answers = await this.#answers();
    const seconds = (performance.now() - start) / 1000;
    const count = answers.reduce((sum, [answer]) => sum + answer.count, 0);
    const serverSeconds = this.#serverCpu() - server;
    const clientSeconds = this.#clientCpu() - clients;
    return {
      perSecond: count / seconds,
      serverMicroseconds: (serverSeconds * 1e6) / count,
      clientMicroseconds: (clientSeconds * 1e6) / count,
      serverCores: serverSeconds / seconds,
      busyCores: (serverSeconds + clientSeconds) / seconds,
    };
  }

  /** Of all processes of the server. */
  anonymousBytes() {
    return this.#pids().reduce((sum, pid) => sum + memoryBytesOf(pid, 'RssAnon'), 0);
  }

  async close() {
    for (const client of this.#clients) client.kill();
    await this.#server.stop();
    await this.#store.close();
  }

  /** Rejects if a process of clients ends instead. */
  async #answers() {
    const answers = await Promise.race([
      this.#ended,
      Promise.all(this.#clients.map((client) => once(client, 'message'))),
    ]);
    if (!Array.isArray(answers[0])) throw new Error(`the clients ended with ${answers[0]}`);
    return answers;
  }

  #serverCpu() {
    return this.#pids().reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  }

  #clientCpu() {
    return this.#clients.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0);
  }

  #pids() {
    const { pid } = this.#server;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return [pid, ...children.map(Number)];
  }
}

const columns = [];
try {
  for (const workers of options.workers.split(',')) columns.push(await Column.open(Number(workers)));
  const measured = new Map();
  // The first round warms up and does not count.
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const figure of FIGURES) {
      for (const column of columns) {
        const result = await column.measure(figure);
        if (round === 0) continue;
        const key = `${figure}, ${column.workers}`;
        measured.set(key, [...(measured.get(key) ?? []), result]);
      }
    }
  }
  print({ cores: availableParallelism(), clients: Number(options.clients), connections: Number(options.connections) });
  for (const figure of FIGURES) {
    for (const { workers } of columns) {
      const of = (field, digits) =>
        toDigits(median(measured.get(`${figure}, ${workers}`).map((result) => result[field])), digits);
      print({
        figure,
        workers,
        perSecond: of('perSecond', 0),
        serverMicroseconds: of('serverMicroseconds', 1),
        clientMicroseconds: of('clientMicroseconds', 1),
        serverCores: of('serverCores', 2),
        busyCores: of('busyCores', 2),
      });
    }
  }
  for (const column of columns) {
    print({ figure: 'anonymous memory', workers: column.workers, megabytes: megabytes(column.anonymousBytes()) });
  }
} finally {
  for (const column of columns) await column.close();
}
