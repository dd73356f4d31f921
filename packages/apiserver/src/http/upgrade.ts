import type { IncomingMessage } from 'node:http';
import type { Server } from 'node:https';
import type { Duplex } from 'node:stream';
import { isWebSocketRequest } from '../authentication/index.js';
import type { Exchange } from '../request/index.js';
import type { Peer } from './peer-certificate.js';
import type { UnsentAnswers } from './unsent-answers.js';
import { WebSocketExchange } from './websocket-exchange.js';

export interface UpgradeOptions {
  readonly isSound: (request: IncomingMessage) => boolean;
  /** Hands the exchange to the handler, or refuses a request that is not sound. */
  readonly begin: (request: IncomingMessage, exchange: Exchange) => void;
  readonly unsent: UnsentAnswers;
  /** Ends HTTP/1.1 on the socket. Calls `take` with the bytes that have been read and not parsed, when earlier requests have been answered. */
  readonly leave: (socket: Duplex, take: (rest: Buffer) => void) => void;
  readonly peerOf: (socket: Duplex) => Peer;
  /** Serves HTTP/1.1 on a socket from its next byte on. */
  readonly serveAgain: (socket: Duplex) => void;
}

/**
 * Takes the requests that ask for another protocol: WebSockets get an exchange that can become one. Any other protocol
 * is not spoken here, and a server that does not know the protocol serves the request as if it had not asked. A client that
 * does not wait for its answers before it asks is cut off.
 */
export function acceptUpgrades(server: Server, options: UpgradeOptions): void {
  const { isSound, begin, unsent, leave, peerOf, serveAgain } = options;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, first: Buffer) => {
    leave(socket, (rest) => {
      const head = Buffer.concat([first, rest]);
      if ((request.method === 'GET' && isWebSocketRequest(request.headers)) || !isSound(request)) {
        begin(request, new WebSocketExchange(request, socket, head, peerOf(socket), unsent));
        return;
      }
      socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]));
      serveAgain(socket);
    });
  });
}

/** The request's head as it came, less the wish. */
function headWithoutUpgrade(request: IncomingMessage): Buffer {
  const { rawHeaders } = request;
  let head = `${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/${request.httpVersion}\r\n`;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.toLowerCase() !== 'upgrade') head += `${name}: ${rawHeaders[index + 1] ?? ''}\r\n`;
  }
  return Buffer.from(`${head}\r\n`, 'latin1');
}
