import type { RequestContext } from '../../request/index.js';

/** Upstream: apiserver `MaxRequestBodyBytes`. */
export const MAXIMUM_BODY_BYTES = 3 * 1024 * 1024;

/** Reads the whole body of a request. */
export async function readBody(context: RequestContext): Promise<Buffer> {
  const body = await context.exchange.readBody(MAXIMUM_BODY_BYTES);
  context.requestBytes = body.length;
  return body;
}
