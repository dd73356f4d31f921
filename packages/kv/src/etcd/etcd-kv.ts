import type { Client } from '@grpc/grpc-js';
import { abortable, type Clock, systemClock, systemRandom } from '@binnacle/apimachinery/clock';
import {
  checkCompaction,
  checkKey,
  checkRange,
  checkTxn,
  checkWatch,
  Closable,
  closedError,
  SharedCall,
} from '../engine/index.js';
import {
  type KV,
  KVError,
  type KVStatus,
  type RangeRequest,
  type RangeResult,
  type TxnRequest,
  type TxnResult,
  type WatchRequest,
  type WatchSink,
} from '../interface/index.js';
import { Caller, unary } from './connection/caller.js';
import { leaseGrantMethod, statusMethod } from './messages/cluster-messages.js';
import { CompactedRevision } from './compacted-revision.js';
import { Connections, type Members } from './connection/connections.js';
import { CallDeadline } from './connection/deadline.js';
import { kvErrorOf } from './errors.js';
import { KeyOrder } from './key-order.js';
import { compactMethod, rangeMethod } from './messages/kv-messages.js';
import { LeaseManager } from './lease-manager.js';
import type { Method } from './messages/method.js';
import type { EtcdKVOptions } from './options.js';
import { readRange } from './range.js';
import { transact, type Transactions } from './transact.js';
import { hasReliableProgress } from './watch/versions.js';
import { Watches } from './watch/watches.js';

/** The server waits until all removed data is gone, which can take long. */
const COMPACTION_TIMEOUT_MILLISECONDS = 10 * 60_000;
const SILENCE_MILLISECONDS = 35_000;

type ClosableMembers = Members & Pick<Connections, 'stopConnecting' | 'close'>;

function connectionsOf({ endpoints, tls, ...options }: EtcdKVOptions): ClosableMembers {
  const { silenceMilliseconds = SILENCE_MILLISECONDS, clock = systemClock, random = systemRandom } = options;
  return new Connections({ endpoints, tls, silenceMilliseconds, clock, random });
}

/** Implements `KV` over an etcd cluster. */
export class EtcdKV extends Closable implements KV {
  readonly #clock: Clock;
  readonly #connections: ClosableMembers;
  readonly #caller: Caller;
  readonly #watches: Watches;
  readonly #transactions: Transactions;
  readonly #compacted: CompactedRevision;
  readonly #order = new KeyOrder();
  readonly #revision = new SharedCall(() => this.#readRevision());
  readonly #probeKey: string;
  readonly #timeoutMilliseconds: number;
  #inFlight = 0;
  #drained: () => void = () => undefined;

  constructor(options: EtcdKVOptions, connections = connectionsOf(options)) {
    super();
    const { user, password = '', leaseReuseSeconds = 60, leaseMaxObjects = 1000 } = options;
    const { clock = systemClock, random = systemRandom } = options;
    this.#clock = clock;
    this.#timeoutMilliseconds = options.requestTimeoutMilliseconds ?? 10_000;
    this.#probeKey = options.probeKey ?? '\0';
    checkKey(this.#probeKey);
    this.#connections = connections;
    const login = user === undefined ? undefined : { user, password };
    this.#caller = new Caller(this.#connections, login, this.#timeoutMilliseconds, clock);
    this.#compacted = new CompactedRevision({
      caller: this.#caller,
      probeKey: this.#probeKey,
      clock,
      timeoutMilliseconds: this.#timeoutMilliseconds,
    });
    const leases = new LeaseManager({
      grant: async (seconds) => (await this.#call(leaseGrantMethod, seconds)).id,
      clock,
      reuseSeconds: leaseReuseSeconds,
      maxObjects: leaseMaxObjects,
    });
    this.#transactions = { caller: this.#caller, leases, timeoutMilliseconds: this.#timeoutMilliseconds };
    this.#watches = new Watches({
      members: this.#connections,
      authentication: this.#caller.authentication,
      isCompacted: (revision) => this.#compacted.includes(revision),
      progressIsReliable: (client) => this.#progressIsReliable(client),
      clock,
      random,
    });
  }

  /** Connects, logs in and reads once. Must be called first. */
  async connect(timeoutMilliseconds: number): Promise<void> {
    const deadline = new CallDeadline(this.#clock, timeoutMilliseconds);
    const { authentication } = this.#caller;
    await this.#caller.ready(deadline, undefined);
    await authentication.renew(authentication.current);
    const timeout = Math.max(deadline.left, 1);
    await this.#call(rangeMethod, { key: Buffer.from(this.#probeKey), countOnly: true }, undefined, timeout);
  }

  async range(request: RangeRequest, signal?: AbortSignal): Promise<RangeResult> {
    this.#begin(signal);
    checkRange(request);
    const context = {
      probeKey: Buffer.from(this.#probeKey),
      call: (call: Parameters<typeof rangeMethod.encode>[0]) => this.#call(rangeMethod, call, signal),
    };
    return this.#tracked(() => readRange(context, request));
  }

  async txn(request: TxnRequest, signal?: AbortSignal): Promise<TxnResult> {
    this.#begin(signal);
    checkTxn(request);
    const result = this.#tracked(() =>
      this.#order.run(request.key, async () => {
        signal?.throwIfAborted();
        // Without the signal: the next write of the key waits until etcd has answered this one, even if its caller has gone.
        return transact(request, this.#transactions);
      }),
    );
    return abortable(result, signal);
  }

  watch(request: WatchRequest, sink: WatchSink, signal: AbortSignal): void {
    checkWatch(request);
    if (!this.closed) this.#watches.add(request, sink, signal);
    else queueMicrotask(() => signal.aborted || sink.ended(closedError()));
  }

  requestProgress(): boolean {
    return this.#watches.requestProgress();
  }

  async compact(revision: number, signal?: AbortSignal): Promise<void> {
    this.#begin(signal);
    checkCompaction(revision);
    await this.#tracked(async () => {
      try {
        await this.#call(compactMethod, revision, signal, COMPACTION_TIMEOUT_MILLISECONDS);
      } catch (error) {
        if (!(error instanceof KVError && error.code === 'compacted')) throw error;
      }
    });
    this.#compacted.note(revision);
  }

  async currentRevision(signal?: AbortSignal): Promise<number> {
    this.#begin(signal);
    return this.#tracked(() => this.#currentRevision(signal));
  }

  async status(signal?: AbortSignal): Promise<KVStatus> {
    this.#begin(signal);
    return this.#tracked(async () => {
      const [revision, { sizeBytes }, compactedRevision] = await Promise.all([
        this.#currentRevision(signal),
        this.#call(statusMethod, undefined, signal),
        this.#compacted.current(signal),
      ]);
      return { revision, compactedRevision, sizeBytes };
    });
  }

  async checkHealth(signal?: AbortSignal): Promise<void> {
    await this.currentRevision(signal);
  }

  protected async end(): Promise<void> {
    this.#connections.stopConnecting();
    if (this.#inFlight > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    this.#watches.close();
    this.#connections.close();
  }

  #begin(signal: AbortSignal | undefined): void {
    this.checkOpen();
    signal?.throwIfAborted();
  }

  async #tracked<T>(action: () => Promise<T>): Promise<T> {
    this.#inFlight += 1;
    try {
      return await action();
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) this.#drained();
    }
  }

  async #call<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    signal?: AbortSignal,
    timeoutMilliseconds = this.#timeoutMilliseconds,
  ): Promise<Response> {
    try {
      return await this.#caller.call(method, request, { timeoutMilliseconds, signal });
    } catch (error) {
      throw kvErrorOf(error);
    }
  }

  /** Callers that ask together share one read, which continues when one of them stops waiting. */
  #currentRevision(signal: AbortSignal | undefined): Promise<number> {
    return abortable(this.#revision.ask(), signal);
  }

  async #readRevision(): Promise<number> {
    const { revision } = await this.#call(rangeMethod, { key: Buffer.from(this.#probeKey), countOnly: true });
    return revision;
  }

  async #progressIsReliable(client: Client): Promise<boolean> {
    const { unary: metadata } = this.#caller.authentication.current;
    const deadline = new CallDeadline(this.#clock, this.#timeoutMilliseconds);
    const { version } = await unary(client, statusMethod, undefined, metadata, deadline, undefined);
    return hasReliableProgress(version);
  }
}
