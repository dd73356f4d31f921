import { type Clock, Deadline } from '@binnacle/apimachinery/clock';
import { describeRequest, type Send, type TransportResponse } from './exchange.js';

/** Ends an exchange, body included, at the request's timeout. */
export function withTimeout(next: Send, clock: Clock): Send {
  return async (request, options) => {
    const { signal, timeout } = options;
    if (timeout === undefined) return next(request, options);
    const deadline = new Deadline(clock, timeout, signal, describeRequest(request));
    try {
      const response = await next(request, { signal: deadline.signal });
      return { ...response, ...endingWith(response, deadline) };
    } catch (error) {
      deadline[Symbol.dispose]();
      throw error;
    }
  };
}

function endingWith(response: TransportResponse, deadline: Deadline): Pick<TransportResponse, 'body' | 'cancel'> {
  return {
    body: disposedAfter(response.body, deadline),
    cancel: () => {
      deadline[Symbol.dispose]();
      response.cancel();
    },
  };
}

async function* disposedAfter(body: AsyncIterable<Uint8Array>, deadline: Deadline): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    deadline[Symbol.dispose]();
  }
}
