import type { Readable } from 'node:stream';
import { reasonOf } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { ConnectionError } from './exchange.js';

export interface BodyControl {
  /** Ends the exchange. */
  cancel(): void;
  /** Called at the end: whether the body is incomplete. */
  isIncomplete(): boolean;
}

/** Yields the chunks of a stream. Leaving the loop early ends the exchange. */
export async function* streamBody(
  stream: Readable,
  what: string,
  signal: AbortSignal | undefined,
  control: BodyControl,
): AsyncGenerator<Uint8Array> {
  let complete = false;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) yield chunk;
    complete = true;
  } catch (error) {
    if (signal?.aborted === true) throw reasonOf(signal);
    const reason = messageOf(error);
    throw new ConnectionError('broken', `${what}: the response broke off: ${reason}`, { cause: error });
  } finally {
    if (!complete) control.cancel();
  }
  if (signal?.aborted === true) throw reasonOf(signal);
  if (control.isIncomplete())
    throw new ConnectionError('broken', `${what}: the response broke off: the connection ended`);
}
