import type { Duplex } from 'node:stream';

/** How long a socket stays open after its answer while the client still sends, so that the client can read the answer. */
const LINGER_MS = 1000;

/** Destroys the socket after a while, unless it closes first. */
export function linger(socket: Duplex, milliseconds = LINGER_MS): void {
  const timer = setTimeout(() => socket.destroy(), milliseconds).unref();
  socket.once('close', () => clearTimeout(timer));
}
