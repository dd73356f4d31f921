import { Duplex } from 'node:stream';
import { respondText } from '../http/index.js';
import { joined } from '../proxying/index.js';
import type { RequestContext, WebSocketMessages, WebSocketUpgrade } from '../request/index.js';
import type { ConnectParts } from './connect-parts.js';
import type { Destination } from './destination.js';
import { requestUpgrade, returnRefusal, upgradeHeaders } from './passed-upgrade.js';
import { tunnelledProtocols, tunnelProtocol } from './websocket-protocols.js';

const SPDY = 'SPDY/3.1';

/**
 * Unwraps the SPDY connection that a client has put in a WebSocket: each message is a piece of it. The WebSocket opens once
 * the kubelet has answered, with the kubelet's protocol.
 * Upstream: apiserver `pkg/util/proxy/streamtunnel.go`.
 */
export async function tunnelPortForward(
  context: RequestContext,
  webSocket: WebSocketUpgrade,
  to: Destination,
  parts: ConnectParts,
): Promise<void> {
  const { exchange } = context;
  const {
    'sec-websocket-key': _key,
    'sec-websocket-version': _version,
    'sec-websocket-protocol': _protocol,
    ...kept
  } = upgradeHeaders(context, parts);
  const headers = { ...kept, upgrade: SPDY, 'x-stream-protocol-version': tunnelledProtocols(exchange.headers) };
  const answer = await requestUpgrade(context, to, { method: 'POST', headers }, parts);
  if (answer.upgraded === undefined) return returnRefusal(context, answer);
  const { socket: kubelet, head } = answer.upgraded;
  if (answer.message.headers.upgrade?.toLowerCase() !== SPDY.toLowerCase()) {
    kubelet.destroy();
    return respondText(context, 500, 'unable to upgrade: missing upgrade headers in response\n');
  }
  const spoken = answer.message.headers['x-stream-protocol-version'];
  const messages = await webSocket.open(typeof spoken === 'string' ? [tunnelProtocol(spoken)] : [], true);
  if (messages === undefined) {
    kubelet.destroy();
    return;
  }
  const client = bytesOf(messages);
  if (head.length > 0) client.write(head);
  await joined(client, kubelet, { clock: parts.clock, signal: exchange.signal });
}

/** The messages of a WebSocket as a stream of bytes. */
function bytesOf(messages: WebSocketMessages): Duplex {
  const source = messages[Symbol.asyncIterator]();
  return new Duplex({
    read() {
      source.next().then(
        ({ done, value }) => this.push(done === true ? null : value.bytes),
        (error: unknown) => this.destroy(error instanceof Error ? error : undefined),
      );
    },
    write(chunk: Buffer, _encoding, written) {
      messages.send(chunk).then(() => written(), written);
    },
    final(done) {
      messages.close();
      done();
    },
    destroy(error, done) {
      if (error === null) messages.close();
      else messages.destroy();
      done(error);
    },
  });
}
