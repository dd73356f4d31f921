import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Server } from 'node:https';
import type { Duplex } from 'node:stream';
import { isWebSocketRequest } from '../authentication/index.js';
import type { Exchange } from '../request/index.js';
import type { Peer } from './tls/peer-certificate.js';
import type { UnsentAnswers } from './unsent-answers.js';
import { UpgradeExchange } from './upgrade-exchange.js';
import { WebSocketExchange } from './websocket/websocket-exchange.js';

export interface UpgradeOptions {
  readonly isSound: (request: IncomingMessage) => boolean;
  /** Passes the exchange to the handler, or refuses an invalid request. */
  readonly begin: (request: IncomingMessage, exchange: Exchange) => void;
  readonly unsent: UnsentAnswers;
  /** Ends HTTP/1.1 on the socket. When earlier requests are answered, calls `take` with the bytes that were read and not parsed. */
  readonly leave: (socket: Duplex, take: (rest: Buffer) => void) => void;
  readonly peerOf: (socket: Duplex) => Peer;
  /** Resumes HTTP/1.1 on a socket from its next byte. */
  readonly serveAgain: (socket: Duplex) => void;
}

/**
 * Handles `Upgrade` requests. A request for a WebSocket or SPDY gets an exchange that can leave HTTP. A request for any other
 * protocol is served as if it had no `Upgrade` header, as HTTP allows. The connection of a client that does not wait for
 * earlier answers is closed.
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
      if (isSpdyRequest(request.headers)) {
        begin(request, new UpgradeExchange(request, socket, head, peerOf(socket), unsent));
        return;
      }
      socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]));
      serveAgain(socket);
    });
  });
}

/** Older clients stream commands and ports over SPDY. Their requests have no body, since it would be in the place of the stream. */
function isSpdyRequest(headers: IncomingHttpHeaders): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return !hasBody && /^spdy\/[0-9.]+$/i.test(headers.upgrade ?? '');
}

/** The request's head without the `Upgrade` header. */
function headWithoutUpgrade(request: IncomingMessage): Buffer {
  const { rawHeaders } = request;
  let head = `${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/${request.httpVersion}\r\n`;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.toLowerCase() !== 'upgrade') head += `${name}: ${rawHeaders[index + 1] ?? ''}\r\n`;
  }
  return Buffer.from(`${head}\r\n`, 'latin1');
}
