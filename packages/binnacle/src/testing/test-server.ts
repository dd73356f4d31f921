import type { Faults } from '@binnacle/apiserver/faults';
import { DynamicClient } from '@binnacle/client/dynamic';
import type { Impersonation } from '@binnacle/client/kubeconfig';
import { connect, type Transport } from '@binnacle/client/transport';
import { housekeeping } from '@binnacle/controllers/table';
import type { KVSnapshot, LocalKV } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  assemble,
  type ClientConfig,
  type Parts,
  type RunningBinnacle,
  type StartOptions,
  defaultParts,
} from '../embed/index.js';
import { writePrivateFile } from '../files/index.js';
import { sharedCredentials } from './shared-credentials.js';
import type { InstalledWebhooks, WebhookInstallOptions } from './webhooks.js';

/** The options of `start()` that apply to an in-memory server. */
export interface TestServerOptions
  extends Pick<
    StartOptions,
    | 'allowProcesses'
    | 'disableAdmissionPlugins'
    | 'enableAdmissionPlugins'
    | 'eventTtlMs'
    | 'featureGates'
    | 'historyRetentionMs'
    | 'imageCommands'
    | 'minRequestTimeoutSeconds'
    | 'nodes'
    | 'processNodes'
    | 'runtimeConfig'
    | 'tokenAuthFile'
    | 'verbosity'
    | 'watchCache'
  > {
  /**
   * Control loops to run, as for `start()`. Default: {@link housekeeping}, so that Deployments and the like stay as the test writes them. `*` runs
   * those too.
   */
  readonly controllers?: string;
  /** Run a scheduler. Default: false, so that pods stay as the test writes them. */
  readonly scheduler?: boolean;
  /** Files and folders of CustomResourceDefinitions to install; see {@link TestServer.installDefinitions}. */
  readonly definitions?: readonly string[];
  /** Gets each line of the log; `verbosity: 3` logs every request. Default: standard error. */
  readonly writeLog?: (line: string) => void;
}

/** A server for one test. `stop()`, or the end of an `await using` block, ends it. */
export interface TestServer extends AsyncDisposable {
  /** `https://host:port`. */
  readonly url: string;
  /** The kubeconfig of the administrator, text for any client. */
  readonly kubeconfig: string;
  /** The configuration of clients that act as administrator. */
  readonly clientConfig: ClientConfig;
  readonly transport: Transport;
  readonly client: DynamicClient;
  /** Fault injection. */
  readonly faults: Faults;
  /** A client that acts as another user, by impersonation. */
  clientAs(user: Impersonation): DynamicClient;
  /** Writes a kubeconfig of the administrator for other programs and returns its path. The file is removed with the server. */
  kubeconfigFile(): Promise<string>;
  /**
   * Applies the CustomResourceDefinitions in these files, and in the YAML and JSON files of these folders. Resolves
   * when objects of all of them can be created.
   */
  installDefinitions(...paths: string[]): Promise<void>;
  /**
   * Applies the MutatingWebhookConfigurations, ValidatingWebhookConfigurations and CustomResourceDefinitions in these
   * files and folders. Points their webhooks at this machine: each `service` becomes a `url` of the local host and
   * port, with the same path. The result is for the webhook server: `serveWebhooks({ ...installed, webhooks })`, or any
   * other that reads `tls.crt` and `tls.key`. The server calls webhooks from now on, so start yours at once.
   */
  installWebhooks(options: WebhookInstallOptions): Promise<InstalledWebhooks>;
  /**
   * Starts another server with the same options and all objects of this one, with the same versions, uids and history.
   * Neither server sees later writes of the other. It copies no objects, and memory holds a value once for both. Fault
   * rules are not taken over. Control loops start after the first write to the fork, or after ten seconds. `writeLog`
   * replaces that of the options.
   */
  fork(options?: Pick<TestServerOptions, 'writeLog'>): Promise<TestServer>;
  /** The current state of all objects, for {@link reset}. The server keeps these objects in memory until it stops. */
  snapshot(): ServerSnapshot;
  /**
   * Gives all objects the content that they had at the snapshot, uids included. The changes are ordinary events at higher
   * versions, in one commit: watches see them, and versions never go down. An object that has not changed keeps its
   * version. Fault rules stay.
   */
  reset(snapshot: ServerSnapshot): Promise<void>;
  /** Ends clients, watches and requests, and drops all objects. Forks continue. Idempotent. */
  stop(): Promise<void>;
}

/** A state of all objects of one server; see {@link TestServer.snapshot}. */
export interface ServerSnapshot {
  /** The version of the state, as a list shows it. */
  readonly resourceVersion: string;
}

/** Starts an in-memory server on a free port of this machine, and resolves when it is ready for requests. */
export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { definitions = [], controllers = housekeeping, scheduler = false, writeLog, ...rest } = options;
  const server = await serve({ ...rest, controllers, scheduler }, openMemoryKV(), { writeLog });
  try {
    if (definitions.length > 0) await server.installDefinitions(...definitions);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

type OwnParts = Pick<Parts, 'isFork' | 'writeLog'>;

async function serve(options: StartOptions, kv: LocalKV, own: OwnParts): Promise<TestServer> {
  const credentials: Parts['credentials'] = ({ hosts }) => sharedCredentials(hosts);
  const running = await assemble(
    { ...options, inMemory: true, faultInjection: true },
    { ...defaultParts, ...own, credentials, openStore: () => Promise.resolve(kv) },
  );
  return new RunningTestServer(running, { options, kv, parts: own });
}

class RunningTestServer implements TestServer {
  readonly clientConfig: ClientConfig;
  readonly transport: Transport;
  readonly client: DynamicClient;
  readonly #running: RunningBinnacle;
  readonly #options: StartOptions;
  readonly #kv: LocalKV;
  readonly #parts: OwnParts;
  readonly #transports: Transport[] = [];
  readonly #snapshots = new Map<ServerSnapshot, KVSnapshot>();
  #folder: Promise<string> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(
    running: RunningBinnacle,
    { options, kv, parts }: { readonly options: StartOptions; readonly kv: LocalKV; readonly parts: OwnParts },
  ) {
    this.#running = running;
    this.#options = options;
    this.#kv = kv;
    this.#parts = parts;
    this.clientConfig = running.clientConfig;
    this.transport = this.#connect();
    this.client = new DynamicClient(this.transport);
  }

  get url(): string {
    return this.#running.url;
  }

  get kubeconfig(): string {
    return this.#running.kubeconfig;
  }

  get faults(): Faults {
    const { faults } = this.#running;
    if (faults === undefined) throw new Error('the server was started without faults');
    return faults;
  }

  clientAs(user: Impersonation): DynamicClient {
    return new DynamicClient(this.#connect(user));
  }

  async kubeconfigFile(): Promise<string> {
    const path = join(await this.#ownFolder(), 'kubeconfig');
    await writePrivateFile(path, this.#running.kubeconfig);
    return path;
  }

  async installDefinitions(...paths: string[]): Promise<void> {
    const { installDefinitions } = await import('./definitions.js');
    return installDefinitions(this.client, paths);
  }

  async installWebhooks(options: WebhookInstallOptions): Promise<InstalledWebhooks> {
    const { installWebhooks } = await import('./webhooks.js');
    const directory = await mkdtemp(join(await this.#ownFolder(), 'webhooks-'));
    return installWebhooks(this.client, directory, options);
  }

  fork(given: Pick<TestServerOptions, 'writeLog'> = {}): Promise<TestServer> {
    return serve(this.#options, this.#kv.fork(), { ...this.#parts, ...given, isFork: true });
  }

  snapshot(): ServerSnapshot {
    const taken = this.#kv.snapshot();
    const snapshot = { resourceVersion: String(taken.revision) };
    this.#snapshots.set(snapshot, taken);
    return snapshot;
  }

  async reset(snapshot: ServerSnapshot): Promise<void> {
    const taken = this.#snapshots.get(snapshot);
    if (taken === undefined) throw new Error('the snapshot belongs to another server');
    await taken.restore();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** It is removed with the server. */
  #ownFolder(): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'binnacle-test-'));
    return this.#folder;
  }

  #connect(impersonate?: Impersonation): Transport {
    const transport = connect(this.clientConfig, {
      userAgent: 'binnacle-test',
      ...(impersonate === undefined ? {} : { impersonate }),
    });
    this.#transports.push(transport);
    return transport;
  }

  async #stop(): Promise<void> {
    await Promise.all(this.#transports.map((transport) => transport.close()));
    await this.#running.stop();
    if (this.#folder !== undefined) await rm(await this.#folder, { recursive: true, force: true });
  }
}
