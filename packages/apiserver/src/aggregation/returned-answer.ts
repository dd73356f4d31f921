import type { IncomingMessage } from 'node:http';
import { respondText, writeResponse } from '../http/index.js';
import { copyAnswer, returnedHeaders } from '../proxying/index.js';
import type { RequestContext } from '../request/index.js';

const REDIRECT = 'the backend attempted to redirect this request, which is not permitted';

/** Answers a request with a backend's answer. `upgrade`: the client asked for another protocol, so only an error makes sense. */
export async function returnAnswer(context: RequestContext, message: IncomingMessage, upgrade: boolean): Promise<void> {
  const status = message.statusCode ?? 0;
  if (upgrade && status < 400) {
    message.destroy();
    return respondText(context, 503, `invalid upgrade response: status code ${String(status)}\n`);
  }
  if (status >= 300 && status <= 399 && message.headers.location !== undefined) {
    message.destroy();
    return writeResponse(context, 502, { 'content-type': 'text/plain; charset=utf-8' }, REDIRECT);
  }
  return copyAnswer(context, message, returnedHeaders(message.headers));
}
