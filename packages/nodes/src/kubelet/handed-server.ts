import { constants } from 'node:crypto';
import { createServer, type Server, type ServerOptions } from 'node:https';

/**
 * A server that does not listen: {@link Listeners} hand it their connections. It ends connections whose next request does not arrive
 * in time. Close it to end the checks.
 */
export function handedServer(options: ServerOptions): Server {
  // In a second handshake, Node.js would keep its verdict on the first certificate.
  const server = createServer({ ...options, secureOptions: constants.SSL_OP_NO_RENEGOTIATION });
  // Node.js starts to check the times of requests when a server listens.
  server.emit('listening');
  return server;
}
