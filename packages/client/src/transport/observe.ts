import type { Clock } from '@binnacle/apimachinery/clock';
import type { Send, TransportRequest, TransportResponse } from './exchange.js';

/** Observes the requests of a transport, for metrics. `status`: undefined for a request that failed without an answer. Must not throw. */
export interface TransportObserver {
  /** A request was answered or has failed. `bytes`: the size of its body. A request that is sent again counts again. */
  sent(method: string, status: number | undefined, bytes: number): void;
  /** The answer has been read or dropped. `bytes`: what was read of its body; undefined if there is no answer. Not called for watches. */
  ended(method: string, seconds: number, bytes: number | undefined): void;
  /** The request will be sent again after this outcome. */
  retried(method: string, status: number | undefined): void;
}

/** Tells an observer about each attempt to send a request. */
export function withObserver(next: Send, observer: TransportObserver, clock: Clock): Send {
  return async (request, options) => {
    const { method } = request;
    const start = clock.monotonic();
    const ended = (bytes: number | undefined): void =>
      observer.ended(method, (clock.monotonic() - start) / 1000, bytes);
    try {
      const response = await next(request, options);
      observer.sent(method, response.status, sizeOf(request));
      return isWatch(request) ? response : counted(response, ended);
    } catch (error) {
      observer.sent(method, undefined, sizeOf(request));
      if (!isWatch(request)) ended(undefined);
      throw error;
    }
  };
}

function sizeOf({ body }: TransportRequest): number {
  return body === undefined ? 0 : Buffer.byteLength(body);
}

const WATCH = /[?&]watch=(?:true|1)(?:&|$)/;

/** Its answer has no end. */
function isWatch({ path }: TransportRequest): boolean {
  return WATCH.test(path);
}

/** `ended` is called once. */
function counted(response: TransportResponse, ended: (bytes: number) => void): TransportResponse {
  let bytes = 0;
  let isOver = false;
  const end = (): void => {
    if (!isOver) ended(bytes);
    isOver = true;
  };
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of response.body) {
        bytes += chunk.length;
        yield chunk;
      }
    } finally {
      end();
    }
  }
  return {
    ...response,
    body: body(),
    cancel: () => {
      end();
      response.cancel();
    },
  };
}
