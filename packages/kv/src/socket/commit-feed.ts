import type { EventBatch, KV, WatchSink } from '../interface/index.js';
import { encodeServerMessage } from './protocol/answers.js';
import { sizeOfBatch } from './protocol/values.js';

/** A commit may have a thousand events; a frame should not. */
const MOST_FRAME_BYTES = 1024 * 1024;

/** Receives all commits of a store, as frames. */
export interface FeedReceiver {
  commit(frame: Buffer): void;
  /** The feed has ended for this reason. Called once, last. */
  feedEnded(error: Error): void;
}

/**
 * Everything that a store commits, encoded once for all clients. A commit is sent when it is complete, or as soon as
 * something else is sent, so nothing overtakes it. The store must be in this process: it reports each commit before any
 * answer that shows it.
 */
export class CommitFeed {
  readonly #receivers = new Set<FeedReceiver>();
  readonly #closing = new AbortController();
  #position: number;
  #pending: EventBatch[] = [];
  #ended: Error | undefined;

  private constructor(position: number) {
    this.#position = position;
  }

  static async open(kv: KV): Promise<CommitFeed> {
    const fromRevision = await kv.currentRevision();
    const feed = new CommitFeed(fromRevision);
    const sink: WatchSink = {
      batch: (batch) => feed.#take(batch),
      progress: (revision) => {
        feed.#position = Math.max(feed.#position, revision);
      },
      ended: (error) => feed.#end(error),
    };
    kv.watch({ prefix: '', fromRevision, withoutPrevious: true }, sink, feed.#closing.signal);
    return feed;
  }

  /** Everything up to this revision is in the frames that have been sent, or precedes the feed. */
  get position(): number {
    return this.#position;
  }

  /** The receiver gets all commits from now on. Returns the function that ends this. */
  add(receiver: FeedReceiver): () => void {
    this.flush();
    if (this.#ended === undefined) this.#receivers.add(receiver);
    else receiver.feedEnded(this.#ended);
    return () => void this.#receivers.delete(receiver);
  }

  /** Sends what is pending. */
  flush(): void {
    if (this.#pending.length === 0) return;
    const batches = this.#pending;
    this.#pending = [];
    let size = 0;
    let first = 0;
    for (const [index, batch] of batches.entries()) {
      const bytes = sizeOfBatch(batch);
      if (size > 0 && size + bytes > MOST_FRAME_BYTES) {
        this.#send(batches.slice(first, index));
        first = index;
        size = 0;
      }
      size += bytes;
    }
    this.#send(batches.slice(first));
  }

  close(): void {
    this.#closing.abort();
    this.#receivers.clear();
  }

  #take(batch: EventBatch): void {
    if (this.#pending.length === 0) queueMicrotask(() => this.flush());
    this.#pending.push(withoutPrevious(batch));
    this.#position = batch.revision;
  }

  #send(batches: readonly EventBatch[]): void {
    const frame = encodeServerMessage({ type: 'commit', batches });
    for (const receiver of this.#receivers) receiver.commit(frame);
  }

  #end(error: Error): void {
    this.flush();
    this.#ended = error;
    for (const receiver of this.#receivers) receiver.feedEnded(error);
    this.#receivers.clear();
  }
}

/** A store may leave previous values out, and need not. */
function withoutPrevious({ revision, events }: EventBatch): EventBatch {
  return {
    revision,
    events: events.map((event) => {
      if (event.previous === undefined) return event;
      const { previous: _, ...rest } = event;
      return rest;
    }),
  };
}
