import { type Clock, onAbort } from '@binnacle/apimachinery/clock';
import type { Exchange } from '../request/index.js';
import { type InProcessAnswer, InProcessExchange, type InProcessRequest } from './in-process-exchange.js';

export interface InProcessServer {
  /**
   * Serves a request without a socket. The signal ends the exchange, also during an answer, and rejects with its reason.
   * Rejects with an error once the server is closed.
   */
  send(request: InProcessRequest, signal?: AbortSignal): Promise<InProcessAnswer>;
  /** Accepts no more requests and lets the rest finish, for at most `drainMs`. The caller ends watches. */
  close(options: { readonly drainMs: number }): Promise<void>;
}

/** The counterpart of the HTTPS server for callers in this process: the same handler behind the same filters. */
export function createInProcessServer(handler: (exchange: Exchange) => void, clock: Clock): InProcessServer {
  const open = new Set<InProcessExchange>();
  let closing = false;
  let allClosed: () => void = () => undefined;

  return {
    send: async (request, signal) => {
      signal?.throwIfAborted();
      if (closing) throw new Error('the server has stopped');
      const exchange = new InProcessExchange(request);
      const leaving = signal && onAbort(signal, () => exchange.leave(signal.reason));
      open.add(exchange);
      exchange.onClosed = () => {
        leaving?.[Symbol.dispose]();
        open.delete(exchange);
        if (open.size === 0) allClosed();
      };
      handler(exchange);
      return exchange.answer;
    },
    close: async ({ drainMs }) => {
      closing = true;
      if (open.size === 0) return;
      using _timer = clock.setTimer(() => {
        for (const exchange of open) exchange.leave(new Error('the server has stopped'));
      }, drainMs);
      await new Promise<void>((resolve) => {
        allClosed = resolve;
      });
    },
  };
}
