import type { IncomingHttpHeaders } from 'node:http';
import { decodeHeader } from './header-text.js';
import { isWebSocketRequest, parseWebSocketProtocols } from './websocket.js';

export interface BearerToken {
  /** Empty when the sub-protocol of a WebSocket is malformed. Such a token is invalid, and the request does not become anonymous. */
  readonly token: string | undefined;
  /** The warning that the client gets about its header. */
  readonly warning: string | undefined;
}

const none: BearerToken = { token: undefined, warning: undefined };

/**
 * The token of `Authorization: Bearer`, or of a WebSocket's sub-protocol, since browsers cannot set that header. Node
 * decodes headers as one character per byte.
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
