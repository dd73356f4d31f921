import type { Readable } from 'node:stream';
import { reasonOf } from '../clock/index.js';
import { ConnectionError } from './exchange.js';

/** The chunks of a stream; leaving early, and the signal, end the exchange by `cancel`. */
export async function* streamBody(
  stream: Readable,
  what: string,
  signal: AbortSignal | undefined,
  cancel: () => void,
): AsyncGenerator<Uint8Array> {
  let complete = false;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) yield chunk;
    complete = true;
  } catch (error) {
    if (signal?.aborted === true) throw reasonOf(signal);
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConnectionError('broken', `${what}: the answer broke off: ${reason}`, { cause: error });
  } finally {
    if (!complete) cancel();
  }
  if (signal?.aborted === true) throw reasonOf(signal);
}
