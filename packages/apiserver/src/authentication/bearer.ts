import type { IncomingHttpHeaders } from 'node:http';
import { decodeHeader } from './header-text.js';
import { isWebSocketRequest, parseWebSocketProtocols } from './websocket.js';

export interface BearerToken {
  /** Empty when it is malformed: such a token is nobody's, and no user is anonymous by it. */
  readonly token: string | undefined;
  /** What the client should be told about its header. */
  readonly warning: string | undefined;
}

const none: BearerToken = { token: undefined, warning: undefined };

/**
 * The token of `Authorization: Bearer`, or of a WebSocket's sub-protocol, which is all that a browser can set. Headers are
 * as Node gives them, a character for each byte.
 * Upstream: apiserver `pkg/authentication/request/{bearertoken,websocket}`.
 */
export function bearerToken(headers: IncomingHttpHeaders): BearerToken {
  const authorization = decodeHeader(headers.authorization ?? '').trim();
  if (authorization !== '') {
    const [scheme, token, more] = authorization.split(' ', 3);
    if (scheme?.toLowerCase() === 'bearer' && token !== undefined) {
      if (token !== '') return { token, warning: undefined };
      if (more !== undefined) {
        return {
          token: undefined,
          warning: 'the provided Authorization header contains extra space before the bearer token, and is ignored',
        };
      }
    }
  }
  if (!isWebSocketRequest(headers)) return none;
  return { token: parseWebSocketProtocols(headers['sec-websocket-protocol'] ?? '').token, warning: undefined };
}
