import { type Clock, repeat } from '@binnacle/apimachinery/clock';
import type { DeleteOperation, KV, PutOperation } from '@binnacle/kv';

export interface ServerLeaseOptions {
  readonly kv: Pick<KV, 'range' | 'txn'>;
  /** The prefix of every key: `/registry/`. */
  readonly storagePrefix: string;
  /** Of this server. */
  readonly address: string;
  readonly clock: Clock;
  /** Makes the endpoints of the `kubernetes` service those of these servers. */
  readonly reconcile: (addresses: readonly string[]) => Promise<void>;
  readonly report: (error: unknown) => void;
}

/** Upstream: `DefaultEndpointReconcilerInterval`, `DefaultEndpointReconcilerTTL`. */
const INTERVAL_MS = 10_000;
const TTL_SECONDS = 15;
/** How long a stop waits for a store that does not answer. */
const STOP_MS = 2000;

/**
 * Announces this server to the others that share its store, and keeps the endpoints of the `kubernetes` service in step
 * with all announced ones. A server that ends without {@link stop} is forgotten after 15 seconds. kube-apiservers on the
 * same etcd take part. Upstream: `pkg/controlplane/reconcilers/lease.go`.
 */
export class ServerLease {
  readonly #options: ServerLeaseOptions;
  readonly #timer: Disposable;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: ServerLeaseOptions) {
    this.#options = options;
    this.#timer = repeat(options.clock, INTERVAL_MS, () => this.#run());
    this.#run();
  }

  /** Withdraws the announcement, and leaves the endpoints to the other servers. Never rejects. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#timer[Symbol.dispose]();
    const { clock } = this.#options;
    let limit: Disposable | undefined;
    const late = new Promise<void>((resolve) => {
      limit = clock.setTimer(resolve, STOP_MS).unref();
    });
    await Promise.race([this.#withdraw().catch((error: unknown) => this.#options.report(error)), late]);
    limit?.[Symbol.dispose]();
  }

  #run(): void {
    this.#running ??= this.#renew()
      .catch((error: unknown) => this.#options.report(error))
      .finally(() => (this.#running = undefined));
  }

  async #renew(): Promise<void> {
    await this.#write({
      type: 'put',
      value: Buffer.from(JSON.stringify(leaseOf(this.#options.address))),
      ttlSeconds: TTL_SECONDS,
    });
    const addresses = await this.#addresses();
    // This server has just announced itself, so an empty list is not to be trusted.
    if (addresses.length === 0) throw new Error('no API server IP addresses were listed in storage');
    if (!this.#isStopped) await this.#options.reconcile(addresses);
  }

  async #withdraw(): Promise<void> {
    await this.#running;
    await this.#write({ type: 'delete' });
    const addresses = await this.#addresses();
    // The last server leaves its address, like upstream.
    if (addresses.length > 0) await this.#options.reconcile(addresses);
  }

  /** No other process writes this key. */
  async #write(operation: PutOperation | DeleteOperation): Promise<void> {
    const { kv, address } = this.#options;
    const key = `${this.#prefix}${address}`;
    const [stored] = (await kv.range({ prefix: key, exact: true })).items;
    const expectedRevision = stored?.modRevision ?? 0;
    if (operation.type === 'delete' && expectedRevision === 0) return;
    await kv.txn({ key, expectedRevision, operation });
  }

  async #addresses(): Promise<readonly string[]> {
    const prefix = this.#prefix;
    const { items } = await this.#options.kv.range({ prefix, keysOnly: true });
    return items.map(({ key }) => key.slice(prefix.length));
  }

  get #prefix(): string {
    return `${this.#options.storagePrefix}masterleases/`;
  }
}

/** The value that kube-apiserver reads. */
function leaseOf(ip: string) {
  return { kind: 'Endpoints', apiVersion: 'v1', metadata: {}, subsets: [{ addresses: [{ ip }] }] };
}
