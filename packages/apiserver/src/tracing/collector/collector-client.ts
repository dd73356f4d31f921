import type { Client } from '@grpc/grpc-js';
import { type Clock, onAbort } from '@binnacle/apimachinery/clock';

const METHOD = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
/** Upstream: the exporter's default. */
const TIMEOUT_MS = 10_000;
/** The answer says at most how many spans were refused, and why. */
const LARGEST_ANSWER_BYTES = 64 * 1024;

/** Sends messages to a collector over gRPC, without TLS as upstream does. gRPC loads and connects with the first message. */
export class CollectorClient {
  readonly #endpoint: string;
  readonly #clock: Pick<Clock, 'now' | 'setTimer'>;
  readonly #closing = new AbortController();
  #client: Promise<Client> | undefined;

  /** `endpoint`: a gRPC target. */
  constructor(endpoint: string, clock: Pick<Clock, 'now' | 'setTimer'>) {
    this.#endpoint = endpoint;
    this.#clock = clock;
  }

  /** Resolves when the collector has taken the message. Rejects with a gRPC error, or once {@link endSoon} gives up. */
  async export(message: Buffer): Promise<void> {
    const { Metadata } = await import('@grpc/grpc-js');
    this.#client ??= openClient(this.#endpoint);
    const client = await this.#client;
    const { signal } = this.#closing;
    signal.throwIfAborted();
    const metadata = new Metadata({ waitForReady: true });
    const deadline = this.#clock.now() + TIMEOUT_MS;
    const same = (bytes: Buffer): Buffer => bytes;
    return new Promise((resolve, reject) => {
      const call = client.makeUnaryRequest(METHOD, same, same, message, metadata, { deadline }, (error) => {
        ending[Symbol.dispose]();
        if (error === null) resolve();
        else reject(error);
      });
      const ending = onAbort(signal, () => call.cancel());
    });
  }

  /** Gives up after a while: the message under way, and all later ones. */
  endSoon(withinMs: number): void {
    this.#clock.setTimer(() => this.#closing.abort(new Error('the server has stopped')), withinMs).unref();
  }

  async close(): Promise<void> {
    (await this.#client)?.close();
  }
}

async function openClient(endpoint: string): Promise<Client> {
  const { Client, credentials } = await import('@grpc/grpc-js');
  return new Client(endpoint, credentials.createInsecure(), {
    'grpc.max_receive_message_length': LARGEST_ANSWER_BYTES,
    'grpc.service_config_disable_resolution': 1,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_http_proxy': 0,
  });
}
