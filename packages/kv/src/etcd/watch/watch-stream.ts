import { type Client, type ClientDuplexStream, connectivityState } from '@grpc/grpc-js';
import type { Credentials } from '../connection/authentication.js';
import {
  decodeWatchAnswer,
  encodeWatchCall,
  WATCH_PATH,
  type WatchAnswer,
  type WatchCall,
} from '../messages/watch-messages.js';

export interface WatchStreamEvents {
  readonly answer: (answer: WatchAnswer) => void;
  /** Called once, last; not after `cancel`. */
  readonly ended: (error: Error) => void;
}

/** One gRPC stream that carries all watches. */
export class WatchStream {
  readonly client: Client;
  readonly credentials: Credentials;
  /** Whether the member's answers to progress requests can be trusted; false until known. */
  progressIsReliable = false;
  readonly #call: ClientDuplexStream<WatchCall, WatchAnswer>;
  readonly #ended: (error: Error) => void;
  #over = false;

  constructor(client: Client, credentials: Credentials, events: WatchStreamEvents) {
    this.client = client;
    this.credentials = credentials;
    this.#call = client.makeBidiStreamRequest(WATCH_PATH, encodeWatchCall, decodeWatchAnswer, credentials.stream);
    this.#ended = events.ended;
    this.#call.on('data', (answer: WatchAnswer) => {
      if (!this.#over) events.answer(answer);
    });
    this.#call.on('error', (error: Error) => this.abandon(error));
    // A member that shuts down waits for its streams to end, and meanwhile accepts no connections.
    client.getChannel().watchConnectivityState(connectivityState.READY, Number.POSITIVE_INFINITY, () => {
      this.abandon(new Error('the connection is being closed'));
    });
    this.#call.on('end', () => queueMicrotask(() => this.abandon(new Error('etcd ended the stream of watches'))));
  }

  get over(): boolean {
    return this.#over;
  }

  send(call: WatchCall): void {
    if (!this.#over) this.#call.write(call);
  }

  /** Ends the stream for this reason, unless it has ended. */
  abandon(error: Error): void {
    if (this.#over) return;
    this.cancel();
    this.#ended(error);
  }

  cancel(): void {
    this.#over = true;
    this.#call.cancel();
  }
}
