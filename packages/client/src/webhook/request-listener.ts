import { encodeJson } from '@binnacle/apimachinery/json';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { RequestBodies, TooManyBodiesError } from './request-body.js';
import type { WebhookAnswer } from './review.js';
import type { Webhook } from './webhook.js';

/**
 * Answers the requests of a server. After `closing` has fired, each response closes its connection. Throws a TypeError
 * for two webhooks with the same path.
 */
export function requestListener(
  webhooks: readonly Webhook[],
  report: (error: unknown) => void,
  closing: AbortSignal,
): RequestListener {
  const byPath = new Map(webhooks.map((webhook) => [webhook.path, webhook]));
  if (byPath.size < webhooks.length) throw new TypeError('two webhooks have the same path');
  const bodies = new RequestBodies();
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const webhook = byPath.get(path);
    const answered = webhook === undefined ? Promise.resolve({ code: 404 }) : answer(webhook, request, response);
    void answered
      .catch((error: unknown) => {
        report(error);
        return { code: error instanceof TooManyBodiesError ? 503 : 500 };
      })
      .then((result) => {
        if (closing.aborted || !request.complete) response.setHeader('connection', 'close');
        send(response, result);
      });
  };

  function answer(webhook: Webhook, request: IncomingMessage, response: ServerResponse): Promise<WebhookAnswer> {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the client closed the connection')));
    const contentType = request.headers['content-type'] ?? '';
    return bodies.read(request, (body) => webhook.answer({ body, contentType, signal: gone.signal, report }));
  }
}

function send(response: ServerResponse, { code, review }: Partial<WebhookAnswer>): void {
  response.statusCode = code ?? 500;
  if (review === undefined) {
    response.end();
    return;
  }
  response.setHeader('content-type', 'application/json');
  response.end(encodeJson(review));
}
