import { internalError, StatusError } from '@binnacle/apimachinery/status';
import { clientGone, respondStatus } from '../http/index.js';
import { type Exchange, type Filter, type Handler, parseTarget, RequestContext } from '../request/index.js';

export interface HandlerChainOptions {
  /** Outermost first. */
  readonly filters: readonly Filter[];
  readonly handler: Handler;
  /** Milliseconds. */
  readonly now: () => number;
  /** Called once for every failure that is not a StatusError. Must not throw. */
  readonly report: (error: unknown, context: RequestContext) => void;
  /** Writes an error. Default: its Status as JSON. Must do nothing when the request is already answered. */
  readonly writeError?: (context: RequestContext, error: StatusError) => void | Promise<void>;
}

/**
 * Runs the filters around a handler. An error becomes the response, or breaks off one that has begun. Filters that were
 * entered are left in reverse order when the request ends. The chain never throws or rejects.
 */
export function createHandlerChain(options: HandlerChainOptions): (exchange: Exchange) => void {
  const { now, report } = options;
  const writeError = options.writeError ?? respondStatus;

  return (exchange) => {
    const [context, unreadable] = contextOf(exchange, now());
    const run = new Run(options, context);
    const fail = async (error: unknown): Promise<void> => {
      try {
        const begun = exchange.answered;
        const expected = error instanceof StatusError || isClientGone(error, exchange);
        if (!expected) report(error, context);
        if (begun) exchange.destroy();
        else await writeError(context, error instanceof StatusError ? error : internalError(error));
      } catch (failure) {
        report(failure, context);
      } finally {
        run.leave();
      }
    };
    if (unreadable !== undefined) {
      void fail(unreadable);
      return;
    }
    try {
      const pending = run.proceed(0);
      if (pending === undefined) run.leave();
      else void pending.then(() => run.leave(), fail);
    } catch (error) {
      void fail(error);
    }
  };
}

class Run {
  readonly #options: HandlerChainOptions;
  readonly #context: RequestContext;
  #entered = 0;

  constructor(options: HandlerChainOptions, context: RequestContext) {
    this.#options = options;
    this.#context = context;
  }

  /**
   * Enters the filters from `start` on, then the handler. It creates a promise only if a filter or the handler returns
   * one.
   */
  proceed(start: number): undefined | Promise<void> {
    const { filters, handler } = this.#options;
    const context = this.#context;
    for (let index = start; index < filters.length; index++) {
      const pending = filters[index]?.enter(context);
      if (pending instanceof Promise) {
        return pending.then(() => {
          this.#entered = index + 1;
          return context.exchange.answered ? undefined : this.proceed(index + 1);
        });
      }
      this.#entered = index + 1;
      if (context.exchange.answered) return undefined;
    }
    return handler(context) ?? undefined;
  }

  leave(): void {
    const { filters, report } = this.#options;
    while (this.#entered > 0) {
      this.#entered--;
      try {
        filters[this.#entered]?.leave?.(this.#context);
      } catch (error) {
        report(error, this.#context);
      }
    }
  }
}

/** The context of a request, and the error in its target, if any. */
function contextOf(exchange: Exchange, now: number): [RequestContext, unknown] {
  try {
    const { path, query } = parseTarget(exchange.url);
    return [new RequestContext(exchange, path, query, now), undefined];
  } catch (error) {
    return [new RequestContext(exchange, exchange.url, new URLSearchParams(), now), error];
  }
}

/** A connection that a handler has taken over does not abort the signal. */
function isClientGone(error: unknown, exchange: Exchange): boolean {
  if (error === clientGone()) return true;
  return error instanceof DOMException && error.name === 'AbortError' && exchange.aborted;
}
