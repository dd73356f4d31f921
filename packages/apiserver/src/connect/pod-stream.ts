import { badRequest, forbidden, StatusError } from '@binnacle/apimachinery/status';
import type { RequestContext } from '../request/index.js';
import type { ConnectParts } from './connect-parts.js';
import type { Destination } from './destination.js';
import { speaksWebSocket } from './kubelet-address.js';
import { passUpgrade } from './passed-upgrade.js';
import { tunnelPortForward } from './port-forward-tunnel.js';
import { standardStreamsIn, type StreamKind, streamTarget } from './stream-location.js';
import { wantsStreamClose, wantsTunnel } from './websocket-protocols.js';

/** `pods/exec`, `attach` and `portforward`. Upstream: `ExecREST`, `AttachREST`, `PortForwardREST`. */
export function podStream(kind: StreamKind, parts: ConnectParts): (context: RequestContext) => Promise<void> {
  return async (context) => {
    const { info, exchange } = context;
    if (info.verb !== 'create') await checkMayCreate(context);
    const pod = await parts.destinations.pod(info.namespace, info.name);
    const target = streamTarget(kind, pod, context.query);
    const nodeName = pod.spec?.nodeName ?? '';
    if (nodeName === '') throw badRequest(`pod ${info.name} does not have a host assigned`);
    const { node, address } = await parts.destinations.kubelet(nodeName);
    const destination: Destination = { ...address, ...target, trust: 'kubelet' };
    if (exchange.upgrade === undefined) throw badRequest('Upgrade request required');
    const { webSocket } = exchange;
    if (webSocket === undefined || speaksWebSocket(node)) return passUpgrade(context, destination, parts);
    if (kind === 'portforward') {
      if (wantsTunnel(exchange.headers)) return tunnelPortForward(context, webSocket, destination, parts);
    } else if (wantsStreamClose(exchange.headers)) {
      // SPDY loads with the first stream that needs it.
      const { translateStreams } = await import('./stream-translation.js');
      return translateStreams(context, webSocket, { destination, streams: standardStreamsIn(context.query) }, parts);
    }
    return passUpgrade(context, destination, parts);
  };
}

/** A WebSocket is opened by GET, and still needs the right to create. Upstream: `ensureAuthorizedForVerb`. */
async function checkMayCreate(context: RequestContext): Promise<void> {
  const { group, resource, name } = context.info;
  try {
    await context.authorizeAs('create');
  } catch (error) {
    throw error instanceof StatusError && error.code === 403 ? forbidden({ group, resource }, name, '') : error;
  }
}
