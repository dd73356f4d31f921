import type { Duplex } from 'node:stream';
import { linger } from './linger.js';

const BAD_REQUEST = '400 Bad Request';
const refusals: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

/**
 * Answers a request that Node.js' parser rejects, in Node.js' words, and closes the connection. It drops further bytes of the
 * client first: Node.js itself would destroy the socket at once, and could lose the answer.
 */
export function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  const refusal = refusals.get(error.code ?? '') ?? BAD_REQUEST;
  socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\n\r\n`, () => linger(socket));
  socket.resume();
}
