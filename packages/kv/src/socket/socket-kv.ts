import type { Duplex } from 'node:stream';
import { abortable } from '@binnacle/apimachinery/clock';
import { asError } from '@binnacle/apimachinery/errors';
import {
  checkCompaction,
  checkHistory,
  checkRange,
  checkTxn,
  checkWatch,
  Closable,
  closedError,
  SharedCall,
} from '../engine/index.js';
import {
  type HistoryPage,
  type HistoryRequest,
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
import { type Answer, Calls } from './calls.js';
import { FrameOutput } from './frame-output.js';
import { decodeServerMessage, type ServerMessage } from './protocol/answers.js';
import { ProtocolError } from './protocol/frame-reader.js';
import { FrameSplitter } from './protocol/frame-splitter.js';
import { PROTOCOL_VERSION } from './protocol/limits.js';
import { type ClientMessage, encodeClientMessage } from './protocol/requests.js';
import { Watches } from './watches.js';

export interface SocketKVOptions {
  /** The stream to the process that serves the store. The store takes ownership of it. */
  readonly stream: Duplex;
  /** Called once if the connection is lost before `close`. The store never connects again. */
  readonly lost?: (error: KVError) => void;
}

/** The id of messages for all watches on the feed. */
const FEED = 0;

/** Opens a store that another process serves. Rejects with `unavailable` if it does not, or speaks another version. */
export async function openSocketKV(options: SocketKVOptions): Promise<KV> {
  const kv = new SocketKV(options);
  await kv.greeted;
  return kv;
}

/**
 * A store of another process. Everything arrives on one stream, in order: a commit comes before every answer that shows
 * it. So, as in the process of the store, a watch has delivered a write before the write resolves, and has delivered
 * all up to the current revision before that resolves.
 */
class SocketKV extends Closable implements KV {
  readonly #stream: Duplex;
  readonly #output: FrameOutput;
  readonly #calls = new Calls();
  readonly #watches: Watches;
  readonly #revision = new SharedCall(() => this.#readRevision());
  readonly #lost: (error: KVError) => void;
  readonly greeted: Promise<void>;
  #greet: () => void = () => undefined;
  #refuse: (error: KVError) => void = () => undefined;
  #failure: KVError | undefined;
  #lastId = FEED;

  constructor({ stream, lost = () => undefined }: SocketKVOptions) {
    super();
    this.#stream = stream;
    this.#output = new FrameOutput(stream);
    this.#lost = lost;
    this.#watches = new Watches({
      start: (id, request) => this.#send({ type: 'watch', id, request }),
      cancel: (id) => this.#send({ type: 'cancel', id }),
    });
    this.greeted = new Promise((resolve, reject) => {
      this.#greet = resolve;
      this.#refuse = reject;
    });
    const splitter = new FrameSplitter((body) => this.#receive(decodeServerMessage(body)));
    stream.on('data', (chunk: Buffer) => {
      try {
        splitter.push(chunk);
      } catch (error) {
        this.#fail(error);
      }
    });
    stream.on('error', (error) => this.#fail(error));
    stream.on('end', () => this.#fail(undefined));
    stream.on('close', () => this.#fail(undefined));
  }

  async range(request: RangeRequest, signal?: AbortSignal): Promise<RangeResult> {
    this.#begin(signal);
    checkRange(request);
    return (await this.#cancellable('range', (id) => ({ type: 'range', id, request }), signal)).result;
  }

  async txn(request: TxnRequest, signal?: AbortSignal): Promise<TxnResult> {
    this.#begin(signal);
    checkTxn(request);
    const { answer } = this.#call('txn', (id) => ({ type: 'txn', id, request }));
    return (await abortable(answer, signal)).result;
  }

  watch(request: WatchRequest, sink: WatchSink, signal: AbortSignal): void {
    checkWatch(request);
    const error = this.closed ? closedError() : this.#failure;
    if (error === undefined) this.#watches.add(this.#nextId(), request, sink, signal);
    else queueMicrotask(() => signal.aborted || sink.ended(error));
  }

  async history(request: HistoryRequest, signal?: AbortSignal): Promise<HistoryPage> {
    this.#begin(signal);
    checkHistory(request);
    return (await this.#cancellable('history', (id) => ({ type: 'history', id, request }), signal)).page;
  }

  async revisionAt(time: number, signal?: AbortSignal): Promise<number> {
    this.#begin(signal);
    const { answer } = this.#call('revision', (id) => ({ type: 'revision-at', id, time }));
    return (await abortable(answer, signal)).revision;
  }

  async compact(revision: number, signal?: AbortSignal): Promise<void> {
    this.#begin(signal);
    checkCompaction(revision);
    const { answer } = this.#call('done', (id) => ({ type: 'compact', id, revision }));
    await abortable(answer, signal);
  }

  /** Callers that ask together share one question, which was not asked before any of them. */
  async currentRevision(signal?: AbortSignal): Promise<number> {
    this.#begin(signal);
    return abortable(this.#revision.ask(), signal);
  }

  async status(signal?: AbortSignal): Promise<KVStatus> {
    this.#begin(signal);
    const { answer } = this.#call('status', (id) => ({ type: 'status', id }));
    return (await abortable(answer, signal)).status;
  }

  async checkHealth(signal?: AbortSignal): Promise<void> {
    this.#begin(signal);
    const { answer } = this.#call('done', (id) => ({ type: 'health', id }));
    await abortable(answer, signal);
  }

  protected async end(): Promise<void> {
    await this.#calls.settled();
    // A shared read of the revision may follow the one that was under way.
    this.#failure ??= closedError();
    this.#watches.endAll(closedError());
    this.#stream.end(() => this.#stream.destroy());
  }

  #begin(signal: AbortSignal | undefined): void {
    this.checkOpen();
    if (this.#failure !== undefined) throw this.#failure;
    signal?.throwIfAborted();
  }

  /** Tells the server when the answer is no longer needed. */
  async #cancellable<Type extends Answer['type']>(
    type: Type,
    messageOf: (id: number) => ClientMessage,
    signal: AbortSignal | undefined,
  ) {
    const { id, answer } = this.#call(type, messageOf);
    const cancel = (): void => this.#send({ type: 'cancel', id });
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await abortable(answer, signal);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  async #readRevision(): Promise<number> {
    const { answer } = this.#call('revision', (id) => ({ type: 'revision', id }));
    return (await answer).revision;
  }

  #call<Type extends Answer['type']>(type: Type, messageOf: (id: number) => ClientMessage) {
    if (this.#failure !== undefined) throw this.#failure;
    const id = this.#nextId();
    const frame = encodeClientMessage(messageOf(id));
    const answer = this.#calls.wait(id, type);
    this.#output.send(frame);
    return { id, answer };
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #send(message: ClientMessage): void {
    this.#output.send(encodeClientMessage(message));
  }

  #receive(message: ServerMessage): void {
    switch (message.type) {
      case 'hello':
        return this.#check(message.version);
      case 'commit':
        return this.#watches.commit(message.batches);
      case 'batch':
        return this.#watches.batch(message.id, message.batch);
      case 'progress':
        return this.#watches.progress(message.id, message.revision);
      case 'joined':
        return this.#watches.joined(message.id);
      case 'ended':
        if (message.id === FEED) return this.#watches.endJoined(asError(message.error));
        return this.#watches.ended(message.id, asError(message.error));
      case 'items':
        return this.#calls.part(message.id, message.items);
      case 'failed':
        return this.#calls.fail(message.id, message.error);
      default:
        return this.#calls.answer(message);
    }
  }

  #check(version: number): void {
    if (version === PROTOCOL_VERSION) return this.#greet();
    throw new ProtocolError(`the process with the store speaks version ${version}, this one ${PROTOCOL_VERSION}`);
  }

  #fail(cause: unknown): void {
    if (this.#failure !== undefined) return;
    const detail = cause instanceof Error ? `: ${cause.message}` : '';
    const error = new KVError('unavailable', `the connection to the process with the store is lost${detail}`, {
      cause,
    });
    this.#failure = error;
    this.#stream.destroy();
    this.#calls.failAll(error);
    this.#watches.endAll(error);
    this.#refuse(error);
    if (!this.closed) this.#lost(error);
  }
}
