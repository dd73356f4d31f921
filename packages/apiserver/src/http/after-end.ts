import type { Duplex } from 'node:stream';

/**
 * Calls `act` once the client has ended its side of the connection and `graceMs` have passed. Returns a function that
 * stops waiting. A client that closes its connection looks the same as one that ends its side and reads on.
 */
export function afterEnd(socket: Duplex, graceMs: number, act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const onEnd = (): void => {
    timer = setTimeout(act, graceMs).unref();
  };
  if (socket.readableEnded) onEnd();
  else socket.once('end', onEnd);
  return () => {
    socket.off('end', onEnd);
    clearTimeout(timer);
  };
}
