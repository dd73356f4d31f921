import type { IncomingHttpHeaders } from 'node:http';
import { parseWebSocketProtocols } from '../authentication/index.js';

/** The sub-protocol of `exec` and `attach` in which a client can end its input. */
export const STREAM_CLOSE_PROTOCOL = 'v5.channel.k8s.io';
const TUNNEL_PREFIX = 'SPDY/3.1+';

export const wantsStreamClose = (headers: IncomingHttpHeaders): boolean =>
  protocolsIn(headers).includes(STREAM_CLOSE_PROTOCOL);

export const wantsTunnel = (headers: IncomingHttpHeaders): boolean => tunnelledProtocols(headers).length > 0;

/** The protocols that the client speaks over SPDY in the WebSocket. Upstream: `spdyProtocolsFromWebsocketProtocols`. */
export function tunnelledProtocols(headers: IncomingHttpHeaders): readonly string[] {
  return protocolsIn(headers)
    .filter((name) => name.startsWith(TUNNEL_PREFIX) && name.endsWith('.k8s.io'))
    .map((name) => name.slice(TUNNEL_PREFIX.length));
}

/** The sub-protocol of the WebSocket in which the kubelet's protocol is tunnelled. */
export const tunnelProtocol = (spoken: string): string => `${TUNNEL_PREFIX}${spoken}`;

function protocolsIn(headers: IncomingHttpHeaders): readonly string[] {
  return parseWebSocketProtocols(headers['sec-websocket-protocol'] ?? '').others;
}
