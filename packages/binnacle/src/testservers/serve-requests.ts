import { messageOf } from '@binnacle/apimachinery/errors';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { type Call, readRequest, type Request, RequestError } from './request.js';

/**
 * Answers each line with one line, as soon as its call has ended. Resolves when the lines have ended; calls in progress
 * continue, and their answers are still written.
 */
export async function serveRequests(
  lines: AsyncIterable<string>,
  handle: (call: Call) => Promise<JsonObject>,
  write: (line: string) => void,
): Promise<void> {
  const answer = (given: JsonObject): void => write(`${JSON.stringify(given)}\n`);
  for await (const line of lines) {
    if (line.trim() === '') continue;
    let request: Request;
    try {
      request = readRequest(line);
    } catch (error) {
      answer({ id: error instanceof RequestError ? error.id : null, error: messageOf(error) });
      continue;
    }
    const { id, call } = request;
    handle(call).then(
      (result) => answer({ id, result }),
      (error: unknown) => answer({ id, error: messageOf(error) }),
    );
  }
}
