import { randomUUID } from 'node:crypto';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { Clock } from '@binnacle/apimachinery/clock';
import {
  decodeDecryptResponse,
  decodeEncryptResponse,
  decodeStatusResponse,
  encodeDecryptRequest,
  encodeEncryptRequest,
  type EncryptedKey,
  type PluginStatus,
} from './messages.js';

/** A KMS v2 plugin. Upstream: kms `apis/v2`. */
export interface Plugin {
  encrypt(plaintext: Uint8Array): Promise<EncryptedKey>;
  decrypt(key: EncryptedKey): Promise<Uint8Array>;
  status(): Promise<PluginStatus>;
  close(): void;
}

/** The gRPC statuses that mean that the encrypted key itself is bad. After any other status, a retry may succeed. */
const PERMANENT: readonly number[] = [status.INVALID_ARGUMENT, status.NOT_FOUND, status.DATA_LOSS];

/** A call that failed. The message is that of Go's client. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
  /** The name of the gRPC status, such as `Unavailable`. */
  readonly status: string;
  /** Whether the same call may succeed later. */
  readonly isTransient: boolean;

  /** `code`: the number of the gRPC status. */
  constructor(code: number, details: string) {
    const name = goName(code);
    super(`rpc error: code = ${name} desc = ${details}`);
    this.status = name;
    this.isTransient = !PERMANENT.includes(code);
  }
}

export interface PluginClientOptions {
  /** The path of the plugin's socket. */
  readonly socket: string;
  /** The time that a call may take, including the wait for a connection. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Called after each call. It must not throw. */
  readonly called: (method: string, status: string, seconds: number) => void;
}

const SERVICE = '/v2.KeyManagementService/';
/** Annotations take 32 KiB at most, and keys 1 KiB. */
const LARGEST_ANSWER_BYTES = 1024 * 1024;

/** Calls a plugin through its socket. A call waits for the connection. Rejects with a {@link PluginError}. */
export class PluginClient implements Plugin {
  readonly #options: PluginClientOptions;
  readonly #client: Client;

  constructor(options: PluginClientOptions) {
    this.#options = options;
    this.#client = new Client(`unix:${options.socket}`, credentials.createInsecure(), {
      'grpc.default_authority': 'localhost',
      'grpc.max_receive_message_length': LARGEST_ANSWER_BYTES,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 2000,
      'grpc.service_config_disable_resolution': 1,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_http_proxy': 0,
    });
  }

  encrypt(plaintext: Uint8Array): Promise<EncryptedKey> {
    return this.#call('Encrypt', encodeEncryptRequest(plaintext, randomUUID()), decodeEncryptResponse);
  }

  decrypt(key: EncryptedKey): Promise<Uint8Array> {
    return this.#call('Decrypt', encodeDecryptRequest(key, randomUUID()), decodeDecryptResponse);
  }

  status(): Promise<PluginStatus> {
    return this.#call('Status', Buffer.alloc(0), decodeStatusResponse);
  }

  close(): void {
    this.#client.close();
  }

  #call<T>(method: string, message: Buffer, decode: (message: Buffer) => T): Promise<T> {
    const { timeoutMs, clock, called } = this.#options;
    const metadata = new Metadata({ waitForReady: true });
    const start = clock.monotonic();
    // gRPC compares it once with the machine's clock, and then uses timers.
    const deadline = clock.now() + timeoutMs;
    return new Promise((resolve, reject) => {
      const answered = (error: ServiceError | null, answer?: T): void => {
        const failure = error === null ? undefined : new PluginError(error.code, error.details);
        called(`${SERVICE}${method}`, failure?.status ?? 'OK', (clock.monotonic() - start) / 1000);
        if (answer !== undefined && failure === undefined) resolve(answer);
        else reject(failure ?? new Error('the plugin sent no answer'));
      };
      const encode = (bytes: Buffer): Buffer => bytes;
      this.#client.makeUnaryRequest(`${SERVICE}${method}`, encode, decode, message, metadata, { deadline }, answered);
    });
  }
}

const CANCELLED: number = status.CANCELLED;

/** The name that Go prints: `DeadlineExceeded`. */
function goName(code: number): string {
  if (code === CANCELLED) return 'Canceled';
  const name = status[code] ?? `Code(${code})`;
  return name.toLowerCase().replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
