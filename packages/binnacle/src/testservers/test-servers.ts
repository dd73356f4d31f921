import type { JsonObject } from '@binnacle/apimachinery/json';
import { type ServerSnapshot, testServer, type TestServer, type TestServerOptions } from '../testing/index.js';
import { RecentLines } from './recent-lines.js';
import type { Call } from './request.js';

const MOST_LINES = 1_000;
/** A log of this verbosity has a line for each request. */
const REQUESTS = 3;

interface Entry {
  readonly server: TestServer;
  readonly log: RecentLines;
  readonly snapshots: Map<string, ServerSnapshot>;
}

/** The servers of one process. */
export class TestServers {
  readonly #readFlags: (flags: readonly string[]) => TestServerOptions;
  readonly #entries = new Map<string, Entry>();
  #lastId = 0;

  /** `readFlags` throws an error that names a flag that is wrong or does not apply. */
  constructor(readFlags: (flags: readonly string[]) => TestServerOptions) {
    this.#readFlags = readFlags;
  }

  /** Carries out a call, and resolves with its result. Rejects with an error whose message is for the caller. */
  async handle(call: Call): Promise<JsonObject> {
    if (call.call === 'start') return this.#start(call);
    const entry = this.#entries.get(call.server);
    if (entry === undefined) throw new Error(`there is no server ${JSON.stringify(call.server)}`);
    const { server, log, snapshots } = entry;
    switch (call.call) {
      case 'fork': {
        const log = new RecentLines(MOST_LINES);
        return this.#keep(await server.fork({ writeLog: (line) => log.add(line) }), log);
      }
      case 'stop':
        this.#entries.delete(call.server);
        await server.stop();
        return {};
      case 'kubeconfigFile':
        return { path: await server.kubeconfigFile() };
      case 'installDefinitions':
        await server.installDefinitions(...call.paths);
        return {};
      case 'installWebhooks':
        return installWebhooks(server, call);
      case 'snapshot': {
        const snapshot = server.snapshot();
        snapshots.set(snapshot.resourceVersion, snapshot);
        return { snapshot: snapshot.resourceVersion };
      }
      case 'reset':
        await server.reset(found(snapshots.get(call.snapshot), `snapshot ${call.snapshot}`));
        return {};
      case 'addFault':
        return { fault: server.faults.add(call.rule as never).id };
      case 'faultHits':
        return { hits: found(server.faults.find(call.fault), `fault ${call.fault}`).hits };
      case 'removeFault':
        server.faults.find(call.fault)?.remove();
        return {};
      case 'log':
        return { lines: [...log.list()] };
    }
  }

  /** Stops all servers. */
  async stop(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(entries.map(({ server }) => server.stop()));
  }

  async #start({ flags = [], definitions = [] }: Extract<Call, { call: 'start' }>): Promise<JsonObject> {
    const log = new RecentLines(MOST_LINES);
    // As with envtest, no control loops run unless flags ask for them.
    const options = { controllers: '', verbosity: REQUESTS, ...this.#readFlags(flags), definitions };
    return this.#keep(await testServer({ ...options, writeLog: (line) => log.add(line) }), log);
  }

  #keep(server: TestServer, log: RecentLines): JsonObject {
    const id = String(++this.#lastId);
    this.#entries.set(id, { server, log, snapshots: new Map() });
    const { certificateAuthority, clientCertificate, clientKey } = server.clientConfig;
    const { url, kubeconfig } = server;
    return { server: id, url, kubeconfig, certificateAuthority, clientCertificate, clientKey };
  }
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`there is no ${what}`);
  return value;
}

async function installWebhooks(
  server: TestServer,
  { paths, host, port }: Extract<Call, { call: 'installWebhooks' }>,
): Promise<JsonObject> {
  const installed = await server.installWebhooks({
    paths,
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
  });
  return { host: installed.host, port: installed.port, directory: installed.certificates.directory };
}
