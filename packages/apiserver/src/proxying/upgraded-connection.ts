import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { ProtocolUpgrade, RequestContext } from '../request/index.js';

/** How long the other side may continue after one has ended. */
const LINGER_MS = 10_000;

export interface UpgradedBackend {
  readonly message: IncomingMessage;
  readonly socket: Duplex;
  /** The bytes that followed the answer's head. */
  readonly head: Buffer;
}

/**
 * Connects a client with a backend that has switched protocols. Settles when either side has closed; then the other is
 * closed too. A side that has ended is closed soon.
 */
export async function proxyUpgrade(
  context: RequestContext,
  upgrade: ProtocolUpgrade,
  { message, socket: backend, head }: UpgradedBackend,
  clock: Clock,
): Promise<void> {
  const taken = upgrade.take();
  // The client has left.
  if (taken === undefined) {
    backend.destroy();
    return;
  }
  const { socket: client } = taken;
  // The connection may outlast any deadline.
  context.deadline = Number.POSITIVE_INFINITY;
  client.write(headOf(message));
  if (head.length > 0) client.write(head);
  if (taken.head.length > 0) backend.write(taken.head);
  await joined(client, backend, { clock, signal: context.exchange.signal });
}

function headOf({ statusCode = 101, statusMessage, rawHeaders }: IncomingMessage): Buffer {
  let text = `HTTP/1.1 ${String(statusCode)} ${statusMessage ?? STATUS_CODES[statusCode] ?? ''}\r\n`;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    text += `${rawHeaders[index] ?? ''}: ${rawHeaders[index + 1] ?? ''}\r\n`;
  }
  return Buffer.from(`${text}\r\n`, 'latin1');
}

/**
 * Joins two connections; each side is read as fast as the other takes it. Settles when either side has closed; then the other
 * is closed too. A side that has ended is closed soon.
 */
export function joined(
  client: Duplex,
  backend: Duplex,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve) => {
    let timer: Disposable | undefined;
    const end = (): void => {
      timer?.[Symbol.dispose]();
      client.destroy();
      backend.destroy();
      resolve();
    };
    for (const side of [client, backend]) side.once('close', end).on('error', end);
    // What was sent before the end still reaches the other side.
    const ended = (other: Duplex): void => {
      other.end();
      timer ??= clock.setTimer(end, LINGER_MS).unref();
    };
    client.once('end', () => ended(backend));
    backend.once('end', () => ended(client));
    signal.addEventListener('abort', end, { once: true });
    client.pipe(backend, { end: false });
    backend.pipe(client, { end: false });
  });
}
