import type { IncomingMessage } from 'node:http';
import { respondText, writeResponse } from '../http/index.js';
import { copyAnswer, returnedHeaders, rewriteUrl } from '../proxying/index.js';
import type { RequestContext } from '../request/index.js';

const REDIRECT = 'the backend attempted to redirect this request, which is not permitted';

export interface ReturnOptions {
  /** The client asked for another protocol, so only an error makes sense. */
  readonly upgrade: boolean;
  /** `host:port` of the backend. */
  readonly authority: string;
}

/** Answers a request with a backend's answer. Its link to itself names it, as under kube-apiserver. */
export async function returnAnswer(
  context: RequestContext,
  message: IncomingMessage,
  { upgrade, authority }: ReturnOptions,
): Promise<void> {
  const status = message.statusCode ?? 0;
  if (upgrade && status < 400) {
    message.destroy();
    return respondText(context, 503, `invalid upgrade response: status code ${String(status)}\n`);
  }
  if (status >= 300 && status <= 399 && message.headers.location !== undefined) {
    message.destroy();
    return writeResponse(context, 502, { 'content-type': 'text/plain; charset=utf-8' }, REDIRECT);
  }
  const headers = returnedHeaders(message.headers);
  const { location = '' } = message.headers;
  if (location === '') return copyAnswer(context, message, headers);
  const rules = { prefix: '', hosts: [authority], origin: `https://${authority}` };
  return copyAnswer(context, message, { ...headers, location: rewriteUrl(location, rules) });
}
