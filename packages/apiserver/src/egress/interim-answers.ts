import type { ClientRequest } from 'node:http';

/** Far more than a backend needs to report the progress of an hour. */
const MOST = 1000;

/**
 * Ends a request whose server sends informational (1xx) answers without an end: Node.js parses each, and waits for the next.
 * Returns the request.
 */
export function limitInterimAnswers(request: ClientRequest): ClientRequest {
  let count = 0;
  return request.on('information', () => {
    count++;
    if (count > MOST) request.destroy(new Error('too many 1xx informational responses'));
  });
}
