import type { Duplex } from 'node:stream';
import { asError } from '@binnacle/apimachinery/errors';
import { SerialQueue } from '@binnacle/apimachinery/turns';
import type { HistoryRequest, KV, RangeRequest, WatchRequest, WatchSink } from '../interface/index.js';
import type { CommitFeed } from './commit-feed.js';
import { FrameOutput } from './frame-output.js';
import { encodeServerMessage, type ServerMessage } from './protocol/answers.js';
import { FrameSplitter } from './protocol/frame-splitter.js';
import { PROTOCOL_VERSION } from './protocol/limits.js';
import { type ClientMessage, decodeClientMessage } from './protocol/requests.js';
import { readInParts } from './range-parts.js';

/** A range is sent in parts of about this size, each when the one before has left. */
const PART_BYTES = 256 * 1024;
/** A client that reads nothing while this much waits for it is lost. */
const MOST_UNSENT_BYTES = 256 * 1024 * 1024;

/** The messages that have one answer. */
type Call = Extract<
  ClientMessage,
  { readonly type: 'range' | 'txn' | 'history' | 'compact' | 'revision-at' | 'revision' | 'status' | 'health' }
>;

/** One client of a served store. It ends when the stream does, or when the client breaks the protocol. */
export class Session {
  readonly #kv: KV;
  readonly #feed: CommitFeed;
  readonly #stream: Duplex;
  readonly #output: FrameOutput;
  /** What `cancel` ends: watches, and reads in progress. */
  readonly #cancels = new Map<number, AbortController>();
  readonly #ended: () => void;
  readonly #histories = new SerialQueue();
  #leaveFeed: () => void = () => undefined;

  /** `ended` is called once. */
  constructor(kv: KV, feed: CommitFeed, stream: Duplex, ended: () => void) {
    this.#kv = kv;
    this.#feed = feed;
    this.#stream = stream;
    this.#output = new FrameOutput(stream);
    this.#ended = ended;
    const splitter = new FrameSplitter((body) => this.#receive(decodeClientMessage(body)));
    stream.on('data', (chunk: Buffer) => {
      try {
        splitter.push(chunk);
      } catch (error) {
        stream.destroy(asError(error));
      }
    });
    stream.on('error', () => undefined);
    stream.on('close', () => this.#end());
    stream.on('end', () => stream.destroy());
    this.#send({ type: 'hello', version: PROTOCOL_VERSION });
    this.#leaveFeed = feed.add({
      commit: (frame) => this.#write(frame),
      feedEnded: (error) => this.#send({ type: 'ended', id: 0, error }),
    });
  }

  /** Sends what is pending and closes the stream. */
  close(): void {
    this.#stream.end(() => this.#stream.destroy());
  }

  #end(): void {
    this.#leaveFeed();
    for (const cancel of this.#cancels.values()) cancel.abort();
    this.#cancels.clear();
    this.#ended();
  }

  #receive(message: ClientMessage): void {
    const { id } = message;
    switch (message.type) {
      case 'watch':
        return this.#watch(id, message.request);
      case 'cancel':
        this.#cancels.get(id)?.abort();
        this.#cancels.delete(id);
        return;
      default:
        void this.#answer(id, message);
    }
  }

  async #answer(id: number, message: Call): Promise<void> {
    try {
      this.#send(await this.#carryOut(id, message));
    } catch (error) {
      this.#send({ type: 'failed', id, error });
    }
  }

  async #carryOut(id: number, message: Call): Promise<ServerMessage> {
    const kv = this.#kv;
    switch (message.type) {
      case 'range':
        return this.#cancellable(id, (signal) => this.#range(id, message.request, signal));
      case 'txn':
        return { type: 'txn', id, result: await kv.txn(message.request) };
      case 'history':
        return this.#cancellable(id, (signal) => this.#history(id, message.request, signal));
      case 'revision-at':
        if (kv.revisionAt === undefined) throw new Error('the served store has no history');
        return { type: 'revision', id, revision: await kv.revisionAt(message.time) };
      case 'compact':
        await kv.compact(message.revision);
        return { type: 'done', id };
      case 'revision':
        return { type: 'revision', id, revision: await kv.currentRevision() };
      case 'status':
        return { type: 'status', id, status: await kv.status() };
      case 'health':
        await kv.checkHealth();
        return { type: 'done', id };
    }
  }

  /** One page after the other, because each takes megabytes until it has left. */
  async #history(id: number, request: HistoryRequest, signal: AbortSignal): Promise<ServerMessage> {
    const page = await this.#histories.run(async () => {
      signal.throwIfAborted();
      if (this.#kv.history === undefined) throw new Error('the served store has no history');
      const read = await this.#kv.history(request, signal);
      await this.#output.drained();
      return read;
    });
    return { type: 'history', id, page };
  }

  async #range(id: number, request: RangeRequest, signal: AbortSignal): Promise<ServerMessage> {
    if (request.exact === true) return { type: 'range', id, result: await this.#kv.range(request, signal) };
    const parts = await readInParts(this.#kv, request, signal);
    try {
      const sendNext = async (): Promise<boolean> => {
        signal.throwIfAborted();
        const items = await parts.next(PART_BYTES);
        if (items.length > 0) this.#send({ type: 'items', id, items });
        return items.length > 0;
      };
      while (await this.#output.inTurn(sendNext));
      return { type: 'range', id, result: parts.result };
    } finally {
      parts.release();
    }
  }

  async #cancellable<T>(id: number, read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const cancel = new AbortController();
    this.#cancels.set(id, cancel);
    try {
      return await read(cancel.signal);
    } finally {
      this.#cancels.delete(id);
    }
  }

  /** A watch without previous values leaves this session as soon as the feed has all that it will get. */
  #watch(id: number, request: WatchRequest): void {
    const cancel = new AbortController();
    this.#cancels.set(id, cancel);
    const reached = (revision: number): void => {
      if (request.withoutPrevious !== true || revision !== this.#feed.position) return;
      this.#send({ type: 'joined', id, revision });
      cancel.abort();
      this.#cancels.delete(id);
    };
    const sink: WatchSink = {
      batch: (batch) => {
        this.#send({ type: 'batch', id, batch });
        reached(batch.revision);
      },
      progress: (revision) => {
        this.#send({ type: 'progress', id, revision });
        reached(revision);
      },
      ended: (error) => {
        this.#cancels.delete(id);
        this.#send({ type: 'ended', id, error });
      },
      whenReady: () => (this.#output.isFull ? this.#output.drained() : undefined),
    };
    this.#kv.watch(request, sink, cancel.signal);
  }

  #send(message: ServerMessage): void {
    this.#feed.flush();
    this.#write(encodeServerMessage(message));
  }

  #write(frame: Buffer): void {
    this.#output.send(frame);
    if (this.#output.unsentBytes > MOST_UNSENT_BYTES) this.#stream.destroy();
  }
}
