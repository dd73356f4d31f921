import { DELIMITED, tagOf, WireReader, writeMessage } from '@binnacle/apimachinery/protobuf';
import { formatDuration } from '@binnacle/apimachinery/time';
import type { ServiceError } from '@grpc/grpc-js';

/** The service of a server that a gRPC probe asks about. */
export interface HealthQuestion {
  readonly host: string;
  readonly port: number;
  /** Empty: the server as a whole. */
  readonly service: string;
}

export interface HealthCheckParts {
  /** Milliseconds since the epoch, on the machine's clock. */
  readonly now: () => number;
  /** Milliseconds. */
  readonly timeout: number;
}

const METHOD = '/grpc.health.v1.Health/Check';
/** `HealthCheckResponse.ServingStatus`. */
const STATES = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];
const SERVING = 1;
const LARGEST_ANSWER_BYTES = 10 * 1024;
/** gRPC codes with a message of their own. */
const DEADLINE_EXCEEDED = 4;
const UNIMPLEMENTED = 12;

/** Undefined: the service is healthy. Otherwise what is wrong, in upstream's words. Upstream: `pkg/probe/grpc`. */
export async function checkHealth(
  { host, port, service }: HealthQuestion,
  { now, timeout }: HealthCheckParts,
): Promise<string | undefined> {
  // Most nodes have no such probes, and the library takes time to load.
  const { Client, credentials } = await import('@grpc/grpc-js');
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const client = new Client(address, credentials.createInsecure(), {
    'grpc.primary_user_agent': 'kube-probe/1.36',
    'grpc.max_receive_message_length': LARGEST_ANSWER_BYTES,
    'grpc.service_config_disable_resolution': 1,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_http_proxy': 0,
  });
  const deadline = now() + timeout;
  const limit = formatDuration(BigInt(timeout) * 1_000_000n);
  try {
    const isConnected = await new Promise<boolean>((resolve) => {
      client.waitForReady(deadline, (error) => resolve(error === undefined));
    });
    if (!isConnected)
      return `timeout: failed to connect service ${JSON.stringify(address)} within ${limit}: context deadline exceeded`;
    return await new Promise((resolve) => {
      const answered = (error: ServiceError | null, state?: number): void =>
        resolve(error === null ? problemOf(state ?? 0) : failureOf(error, limit));
      client.makeUnaryRequest(
        METHOD,
        (bytes: Buffer) => bytes,
        stateIn,
        questionAbout(service),
        { deadline },
        answered,
      );
    });
  } finally {
    client.close();
  }
}

/** A `HealthCheckRequest`. */
export function questionAbout(service: string): Buffer {
  return writeMessage((writer) => {
    if (service === '') return;
    writer.string(service);
    writer.varint(tagOf(1, DELIMITED));
  });
}

/** The state of a `HealthCheckResponse`. Throws a `DecodeError`. */
export function stateIn(message: Uint8Array): number {
  const reader = new WireReader(message);
  let state = 0;
  while (!reader.atEnd) {
    reader.tag('HealthCheckResponse');
    if (reader.number === 1) state = reader.int32();
    else reader.skip();
  }
  return state;
}

export function problemOf(state: number): string | undefined {
  if (state === SERVING) return undefined;
  return `service unhealthy (responded with ${JSON.stringify(STATES[state] ?? String(state))})`;
}

/** `code`: of the gRPC status. */
export function failureOf(
  { code, details }: { readonly code: number; readonly details: string },
  limit: string,
): string {
  if (code === DEADLINE_EXCEEDED) return `timeout: health rpc did not complete within ${limit}`;
  if (code === UNIMPLEMENTED)
    return `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${details}`;
  return `error: health rpc probe failed: ${details}`;
}
