import { StatusError, unclassified } from '@binnacle/apimachinery/status';
import {
  type Answer,
  BackendCall,
  copyAnswer,
  passedHeaders,
  proxyUpgrade,
  returnedHeaders,
  type SentHeaders,
} from '../proxying/index.js';
import type { RequestContext } from '../request/index.js';
import { describeFailure } from '../webhooks/index.js';
import type { ConnectParts } from './connect-parts.js';
import type { Destination } from './destination.js';

/** Passes an upgrade on unchanged, and joins client and backend. Upstream: `UpgradeAwareHandler.tryUpgrade`. */
export async function passUpgrade(context: RequestContext, to: Destination, parts: ConnectParts): Promise<void> {
  const { exchange } = context;
  const { upgrade } = exchange;
  const headers = upgradeHeaders(context, parts);
  const answer = await requestUpgrade(context, to, { method: exchange.method, headers }, parts);
  if (answer.upgraded === undefined || upgrade === undefined) return returnRefusal(context, answer);
  return proxyUpgrade(context, upgrade, { message: answer.message, ...answer.upgraded }, parts.clock);
}

/** The headers of a request to upgrade, for the backend. Its `Host` is the one that the client named, as in upstream. */
export function upgradeHeaders({ exchange }: RequestContext, { userHeaders }: ConnectParts): SentHeaders {
  return { ...passedHeaders(exchange, { userHeaders, upgrade: true, hasBody: false }), host: hostOf(exchange.headers) };
}

/** `Host` of HTTP/1.1, or `:authority` of HTTP/2. */
export function hostOf(headers: RequestContext['exchange']['headers']): string {
  const authority = headers[':authority'];
  return headers.host ?? (typeof authority === 'string' ? authority : '');
}

/** Sends a request to upgrade, and returns the answer to it. Throws when there is none, or a malformed one. */
export async function requestUpgrade(
  { exchange: { signal } }: RequestContext,
  to: Destination,
  { method, headers }: { readonly method: string; readonly headers: SentHeaders },
  { connections }: ConnectParts,
): Promise<Answer> {
  let answer: Answer;
  try {
    answer = await new BackendCall(() => connections.open(to, { method, headers, signal })).send(undefined);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof StatusError ? error : unclassified(`error dialing backend: ${describeFailure(error)}`);
  }
  const { statusCode = 0 } = answer.message;
  if (answer.upgraded !== undefined || statusCode >= 400) return answer;
  answer.message.destroy();
  throw unclassified(`invalid upgrade response: status code ${statusCode}`);
}

/** The backend's error is the answer. */
export async function returnRefusal(context: RequestContext, { message, upgraded }: Answer): Promise<void> {
  upgraded?.socket.destroy();
  return copyAnswer(context, message, returnedHeaders(message.headers));
}
