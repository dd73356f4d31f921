import type { Client } from '@grpc/grpc-js';
import { Backoff, type Clock, type Random, sleep } from '@binnacle/apimachinery/clock';
import { closedError } from '../../engine/index.js';
import { KVError, type WatchRequest, type WatchSink } from '../../interface/index.js';
import type { Authentication } from '../connection/authentication.js';
import type { Members } from '../connection/connections.js';
import { isConnectionFault, isLoginMessage, isServiceError, requiresLogin } from '../errors.js';
import { prefixRange } from '../messages/key-ranges.js';
import { ALL_WATCHES, type WatchAnswer } from '../messages/watch-messages.js';
import { WatchStream } from './watch-stream.js';
import { Watcher } from './watcher.js';

/** Each pause is up to three times as long, so that the clients of a cluster do not all return at once. */
const FIRST_PAUSE_MILLISECONDS = 12.5;
const LONGEST_PAUSE_MILLISECONDS = 1000;
const JITTER = 2;
/** A stream that has lasted this long was not refused: the next fault begins with the first pause. */
const LASTING_STREAM_MILLISECONDS = 2000;

export interface WatchesContext {
  readonly members: Members;
  readonly authentication: Authentication;
  /** Whether events after this revision may have been compacted. Rejects if that cannot be determined. */
  readonly isCompacted: (revision: number) => Promise<boolean>;
  /** For the member to which this client is connected. */
  readonly progressIsReliable: (client: Client) => Promise<boolean>;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * All watches of a store on one stream. When it breaks, another one is opened while there are watches, and each watch
 * continues after what it has delivered.
 */
export class Watches {
  readonly #context: WatchesContext;
  readonly #watchers = new Map<number, Watcher>();
  #nextId = 1;
  #stream: WatchStream | undefined;
  #running = false;
  readonly #closing = new AbortController();

  constructor(context: WatchesContext) {
    this.#context = context;
  }

  add(request: WatchRequest, sink: WatchSink, signal: AbortSignal): void {
    if (signal.aborted) return;
    const watcher = new Watcher(this.#nextId, request, sink, { signal, over: (done) => this.#remove(done) });
    this.#nextId += 1;
    this.#watchers.set(watcher.id, watcher);
    if (this.#stream !== undefined) this.#ask(this.#stream, watcher);
    else if (!this.#running) void this.#run();
  }

  /** Returns false if the current member cannot be trusted with progress requests, or there is none. */
  requestProgress(): boolean {
    if (this.#stream === undefined || !this.#stream.progressIsReliable) return false;
    this.#stream.send({ type: 'progress' });
    return true;
  }

  close(): void {
    this.#closing.abort();
    for (const watcher of this.#watchers.values()) watcher.end(closedError());
    this.#stream?.abandon(closedError());
  }

  /** Runs one stream after another until no watch is left. */
  async #run(): Promise<void> {
    this.#running = true;
    const { clock, random } = this.#context;
    const backoff = new Backoff({
      initial: FIRST_PAUSE_MILLISECONDS,
      maximum: LONGEST_PAUSE_MILLISECONDS,
      jitter: { share: JITTER, random },
    });
    while (!this.#closing.signal.aborted && this.#watchers.size > 0) {
      const opened = clock.monotonic();
      await this.#followStream();
      if (clock.monotonic() - opened > LASTING_STREAM_MILLISECONDS) backoff.reset();
      await sleep(clock, backoff.next(), this.#closing.signal).catch(() => undefined);
    }
    this.#running = false;
  }

  /** Resolves when the stream has ended. A fault of the member moves all watches to the next one. */
  async #followStream(): Promise<void> {
    const { members, authentication } = this.#context;
    try {
      const client = members.connected() ?? (await members.ready());
      const credentials = authentication.current;
      if (this.#closing.signal.aborted) return;
      const error = await new Promise<Error>((ended) => {
        const stream = new WatchStream(client, credentials, {
          answer: (answer) => this.#receive(stream, answer),
          ended,
        });
        this.#stream = stream;
        for (const watcher of this.#watchers.values()) {
          watcher.restart();
          this.#ask(stream, watcher);
        }
        void this.#checkProgress(stream);
      });
      this.#stream = undefined;
      if (!isServiceError(error)) return;
      if (isConnectionFault(error)) members.failed(client);
      if (requiresLogin(error)) await authentication.renew(credentials);
    } catch {
      // Not connected or not authenticated: requests report it to their callers, and watches wait.
      this.#stream = undefined;
    }
  }

  async #checkProgress(stream: WatchStream): Promise<void> {
    const reliable = await this.#context.progressIsReliable(stream.client).catch(() => false);
    stream.progressIsReliable = reliable;
  }

  #ask(stream: WatchStream, watcher: Watcher): void {
    watcher.state = 'asked';
    const { withPrevious } = watcher;
    const startRevision = watcher.position + 1;
    stream.send({ type: 'create', watchId: watcher.id, ...prefixRange(watcher.prefix), startRevision, withPrevious });
  }

  #receive(stream: WatchStream, answer: WatchAnswer): void {
    if (stream !== this.#stream) return;
    const watcher = this.#addressee(answer);
    if (watcher !== undefined && answer.canceled) this.#refused(stream, watcher, answer);
    else if (watcher !== undefined && answer.created) void this.#check(stream, watcher);
    else if (watcher !== undefined) watcher.accept(answer);
    else if (answer.watchId === ALL_WATCHES && stream.progressIsReliable) {
      for (const each of this.#watchers.values()) each.progress(answer.revision);
    }
  }

  /** A watch that could not be created has lost its id: it is the oldest of those that await a response. */
  #addressee({ watchId, created, canceled }: WatchAnswer): Watcher | undefined {
    if (watchId !== ALL_WATCHES || !created || !canceled) return this.#watchers.get(watchId);
    for (const watcher of this.#watchers.values()) if (watcher.state === 'asked') return watcher;
    return undefined;
  }

  #refused(stream: WatchStream, watcher: Watcher, { compactRevision, cancelReason }: WatchAnswer): void {
    if (compactRevision > 0) {
      watcher.end(compactedError(watcher.position, `the oldest is ${compactRevision}`));
      return;
    }
    // Etcd 3.4 reports "permission denied" if it has dropped the token.
    const renewable = isLoginMessage(cancelReason) || cancelReason.includes('permission denied');
    if (renewable && !watcher.refused && this.#context.authentication.enabled) {
      watcher.refused = true;
      watcher.state = 'waiting';
      void this.#renew(stream, watcher);
      return;
    }
    watcher.end(
      new KVError('unavailable', `etcd ended the watch of ${JSON.stringify(watcher.prefix)}: ${cancelReason}`),
    );
  }

  /** A stream keeps its initial token, so a new token needs a new stream. */
  async #renew(stream: WatchStream, watcher: Watcher): Promise<void> {
    try {
      await this.#context.authentication.renew(stream.credentials);
    } catch (cause) {
      watcher.end(new KVError('unavailable', 'etcd rejected the credentials of the watch', { cause }));
      return;
    }
    if (stream === this.#stream) stream.abandon(new Error('the stream has an old token'));
  }

  /**
   * Etcd accepts a watch at the compacted revision itself, where a deletion may be missing. The contract does not, so
   * nothing is delivered until a read confirms that the revision before is still available.
   */
  async #check(stream: WatchStream, watcher: Watcher): Promise<void> {
    watcher.state = 'checking';
    watcher.refused = false;
    let compacted: boolean;
    try {
      compacted = await this.#context.isCompacted(watcher.position);
    } catch (error) {
      if (watcher.ended || stream !== this.#stream) return;
      if (isServiceError(error) && !isConnectionFault(error)) {
        watcher.end(
          new KVError('unavailable', `etcd does not allow reading its history: ${error.details}`, { cause: error }),
        );
      } else {
        stream.abandon(new Error('the history could not be read', { cause: error }));
      }
      return;
    }
    if (watcher.ended || stream !== this.#stream || watcher.state !== 'checking') return;
    if (compacted) watcher.end(compactedError(watcher.position, 'the oldest is newer'));
    else watcher.run();
  }

  #remove(watcher: Watcher): void {
    this.#watchers.delete(watcher.id);
    if (watcher.state !== 'waiting') this.#stream?.send({ type: 'cancel', watchId: watcher.id });
  }
}

function compactedError(revision: number, detail: string): KVError {
  return new KVError('compacted', `revision ${revision} has been compacted, ${detail}`);
}
