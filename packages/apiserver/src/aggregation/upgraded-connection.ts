import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ProtocolUpgrade, RequestContext } from '../request/index.js';

/**
 * Connects a client with a backend that has switched protocols. Settles when either side has closed; then the other is
 * closed too.
 */
export async function proxyUpgrade(
  context: RequestContext,
  upgrade: ProtocolUpgrade | undefined,
  message: IncomingMessage,
  { socket: backend, head }: { readonly socket: Duplex; readonly head: Buffer },
): Promise<void> {
  const taken = upgrade?.take();
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
  await joined(client, backend, context.exchange.signal);
}

function headOf({ statusCode = 101, statusMessage, rawHeaders }: IncomingMessage): Buffer {
  let text = `HTTP/1.1 ${String(statusCode)} ${statusMessage ?? STATUS_CODES[statusCode] ?? ''}\r\n`;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    text += `${rawHeaders[index] ?? ''}: ${rawHeaders[index + 1] ?? ''}\r\n`;
  }
  return Buffer.from(`${text}\r\n`, 'latin1');
}

/** Each side is read as fast as the other takes it. */
function joined(client: Duplex, backend: Duplex, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      client.destroy();
      backend.destroy();
      resolve();
    };
    for (const side of [client, backend]) side.once('close', end).on('error', end);
    // What was sent before the end still reaches the other side.
    client.once('end', () => backend.end());
    backend.once('end', () => client.end());
    signal.addEventListener('abort', end, { once: true });
    client.pipe(backend, { end: false });
    backend.pipe(client, { end: false });
  });
}
