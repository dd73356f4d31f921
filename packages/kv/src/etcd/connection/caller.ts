import { type Client, Metadata, status } from '@grpc/grpc-js';
import { Backoff, type Clock, reasonOf, sleep } from '@binnacle/apimachinery/clock';
import { KVError } from '../../interface/index.js';
import { Authentication } from './authentication.js';
import { authenticateMethod, type Login } from '../messages/cluster-messages.js';
import type { Members } from './connections.js';
import { CallDeadline } from './deadline.js';
import { isConnectionFault, isServiceError, kvErrorOf, requiresLogin, wasNotSent } from '../errors.js';
import type { Method } from '../messages/method.js';

const FIRST_PAUSE_MILLISECONDS = 25;
const LONGEST_PAUSE_MILLISECONDS = 1000;

export interface CallSettings {
  readonly timeoutMilliseconds: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes single requests. A request waits for a connection. It is retried until its deadline if that is safe: it was not
 * sent, its token was rejected, or it is repeatable.
 */
export class Caller {
  readonly #members: Members;
  readonly #clock: Clock;
  readonly authentication: Authentication;

  constructor(members: Members, login: Login | undefined, loginTimeoutMilliseconds: number, clock: Clock) {
    this.#members = members;
    this.#clock = clock;
    this.authentication = new Authentication(login, (given) => this.#login(given, loginTimeoutMilliseconds));
  }

  /**
   * Rejects with a gRPC `ServiceError` if etcd rejected the request or failed, with the signal's reason, or with a
   * `KVError`.
   */
  async call<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    { timeoutMilliseconds, signal }: CallSettings,
  ): Promise<Response> {
    const deadline = new CallDeadline(this.#clock, timeoutMilliseconds);
    let loggedIn = false;
    const backoff = new Backoff({ initial: FIRST_PAUSE_MILLISECONDS, maximum: LONGEST_PAUSE_MILLISECONDS });
    for (;;) {
      const pause = backoff.next();
      const client = this.#members.connected() ?? (await this.ready(deadline, signal));
      const { current } = this.authentication;
      try {
        return await unary(client, method, request, current.unary, deadline, signal);
      } catch (error) {
        if (!isServiceError(error)) throw error;
        if (isConnectionFault(error)) this.#members.failed(client);
        if (requiresLogin(error) && !loggedIn && (await this.authentication.renew(current))) {
          loggedIn = true;
          continue;
        }
        const again = wasNotSent(error) || (method.repeatable && error.code === status.UNAVAILABLE);
        if (!again || deadline.left <= pause) throw error;
      }
      await sleep(this.#clock, pause, signal);
    }
  }

  /** A connected member. All waiting callers share the attempt. */
  async ready(deadline: CallDeadline, signal: AbortSignal | undefined): Promise<Client> {
    const over = new AbortController();
    const signals = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
    try {
      return await Promise.race([
        this.#members.ready(),
        sleep(this.#clock, deadline.left, signals).then(
          () => {
            throw new KVError('unavailable', `etcd: ${this.#members.lastFault}`);
          },
          () => {
            signal?.throwIfAborted();
            throw new KVError('unavailable', 'the request was abandoned while it waited for etcd');
          },
        ),
      ]);
    } finally {
      over.abort();
    }
  }

  async #login(login: Login, timeoutMilliseconds: number): Promise<string> {
    const deadline = new CallDeadline(this.#clock, timeoutMilliseconds);
    const client = this.#members.connected() ?? (await this.ready(deadline, undefined));
    try {
      return await unary(client, authenticateMethod, login, new Metadata(), deadline, undefined);
    } catch (error) {
      // A cluster without authentication accepts every client.
      if (isServiceError(error) && error.details.includes('authentication is not enabled')) return '';
      throw kvErrorOf(error);
    }
  }
}

/** Sends a request once. */
export function unary<Request, Response>(
  client: Client,
  { path, encode, decode }: Method<Request, Response>,
  request: Request,
  metadata: Metadata,
  deadline: CallDeadline,
  signal: AbortSignal | undefined,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      call.cancel();
      reject(signal === undefined ? new Error('aborted') : reasonOf(signal));
    };
    const call = withoutStacks(() =>
      client.makeUnaryRequest(
        path,
        encode,
        decode,
        request,
        metadata,
        { deadline: deadline.wall },
        (error, response) => {
          signal?.removeEventListener('abort', abort);
          if (error !== null) reject(error);
          else if (response === undefined) reject(new KVError('unavailable', `etcd gave no answer to ${path}`));
          else resolve(response);
        },
      ),
    );
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** gRPC captures the stack of each request, in case it fails. Its errors say what failed without that. */
function withoutStacks<T>(run: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
