import type { IncomingMessage } from 'node:http';
import type { WebSocketUpgrade } from '../request/index.js';

const BINARY = 'binary.k8s.io';
const BASE64 = 'base64.binary.k8s.io';

/** Sends a log as messages of a WebSocket: an empty one, then the bytes, in base64 if the client wants that. Upstream: `wsstream.Reader`. */
export async function sendLogMessages(upgrade: WebSocketUpgrade, log: IncomingMessage): Promise<void> {
  const socket = await upgrade.open(['', BINARY, BASE64]);
  if (socket === undefined) {
    log.destroy();
    return;
  }
  const isText = socket.protocol === BASE64;
  const left = ignoreMessages(socket).then(() => log.destroy());
  try {
    await socket.send(isText ? '' : Buffer.alloc(0));
    for await (const piece of log as AsyncIterable<Buffer>)
      await socket.send(isText ? piece.toString('base64') : piece);
    socket.close();
  } catch {
    // The client has left, or the kubelet has broken off.
    socket.destroy();
  }
  await left;
}

/** Settles when the client has left. */
async function ignoreMessages(socket: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of socket);
}
