import type { IncomingMessage } from 'node:http';
import { badRequest, internalError, StatusError, unclassified } from '@binnacle/apimachinery/status';
import { BackendCall, copyAnswer } from '../proxying/index.js';
import type { RequestContext } from '../request/index.js';
import { describeFailure, describeStatus } from '../webhooks/index.js';
import type { ConnectParts } from './connect-parts.js';
import { type Destination, urlOf } from './destination.js';
import { readLogOptions } from './log-options.js';
import { sendLogMessages } from './log-messages.js';
import { containerOf } from './stream-location.js';

/** How much of a kubelet's error is read, in bytes. Upstream: `response_checker.go`. */
const MAXIMUM_ERROR_BYTES = 50_000;

/** `pods/log`: streams the kubelet's answer unchanged. The log of a pod without a node is empty. Upstream: `LogREST`. */
export function podLog(parts: ConnectParts): (context: RequestContext) => Promise<void> {
  return async (context) => {
    const { exchange, info } = context;
    const options = readLogOptions(context.query, info.name);
    const pod = await parts.destinations.pod(info.namespace, info.name);
    const container = containerOf(pod, options.container);
    const nodeName = pod.spec?.nodeName ?? '';
    if (nodeName === '') return exchange.respond(204, {}, '');
    const { address } = await parts.destinations.kubelet(nodeName);
    const message = await fetchLog(parts, exchange.signal, {
      ...address,
      path: `/containerLogs/${info.namespace}/${info.name}/${container}`,
      query: options.query,
      trust: options.insecureSkipTLSVerifyBackend ? 'unverified kubelet' : 'kubelet',
    });
    await checkStatus(message, info.name);
    if (exchange.webSocket !== undefined) return sendLogMessages(exchange.webSocket, message);
    message.statusCode = 200;
    return copyAnswer(context, message, { 'content-type': 'text/plain' });
  };
}

async function fetchLog(
  { connections }: ConnectParts,
  signal: AbortSignal,
  destination: Destination,
): Promise<IncomingMessage> {
  const call = new BackendCall(() => connections.open(destination, { method: 'GET', headers: {}, signal }));
  const what = `Get "${urlOf(destination)}"`;
  try {
    const { message, upgraded } = await call.send(undefined);
    upgraded?.socket.destroy();
    if (message.statusCode !== undefined && message.statusCode >= 300 && message.headers.location !== undefined) {
      message.destroy();
      throw unclassified(`${what}: redirects forbidden`);
    }
    return message;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof StatusError ? error : unclassified(`${what}: ${describeFailure(error)}`);
  }
}

/** Upstream: `GenericHttpResponseChecker`. */
async function checkStatus(message: IncomingMessage, name: string): Promise<void> {
  const { statusCode: code = 0 } = message;
  if (code >= 200 && code <= 206) return;
  const text = await textOf(message);
  if (code === 500) throw internalError(new Error(text));
  if (code === 400) throw badRequest(text);
  throw new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `${describeStatus(code, text)} ( pods/log ${name})`,
    ...reasonOf(code),
    details: { name, kind: 'pods/log' },
    code,
  });
}

const REASONS = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
  504: 'Timeout',
} as const;

function reasonOf(code: number): Pick<StatusError['status'], 'reason'> {
  const known: Partial<Record<number, (typeof REASONS)[keyof typeof REASONS]>> = REASONS;
  const reason = known[code] ?? (code > 500 ? 'InternalError' : undefined);
  return reason === undefined ? {} : { reason };
}

/** The beginning of a body. */
async function textOf(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of message as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length >= MAXIMUM_ERROR_BYTES) break;
    }
  } catch (error) {
    throw internalError(error);
  }
  return Buffer.concat(pieces).subarray(0, MAXIMUM_ERROR_BYTES).toString();
}
