import type { IncomingHttpHeaders } from 'node:http';

export interface BearerToken {
  readonly token: string | undefined;
  /** What the client should be told about its header. */
  readonly warning: string | undefined;
}

const none: BearerToken = { token: undefined, warning: undefined };

/**
 * The token of `Authorization: Bearer`, or of a WebSocket's sub-protocol, which is all that a browser can set.
 * Upstream: apiserver `pkg/authentication/request/{bearertoken,websocket}`.
 */
export function bearerToken(headers: IncomingHttpHeaders): BearerToken {
  const authorization = headers.authorization?.trim() ?? '';
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
  return headers.upgrade === undefined ? none : webSocketToken(headers['sec-websocket-protocol'] ?? '');
}

const TOKEN_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';

function webSocketToken(protocols: string): BearerToken {
  for (const protocol of protocols.split(',')) {
    const name = protocol.trim();
    if (!name.startsWith(TOKEN_PROTOCOL)) continue;
    const token = Buffer.from(name.slice(TOKEN_PROTOCOL.length), 'base64url').toString();
    return token === '' ? none : { token, warning: undefined };
  }
  return none;
}
