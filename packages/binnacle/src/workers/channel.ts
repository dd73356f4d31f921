import type { Socket } from 'node:net';
import { messageOf } from '@binnacle/apimachinery/errors';
import { StartError, type StartErrorCode } from '../embed/index.js';

/** What one side may ask the other, by name: what it sends, and what it gets. */
export type Calls<C> = { readonly [Name in keyof C]: { readonly argument: unknown; readonly answer: unknown } };

/** Answers the calls of the other side. */
export type Handlers<C extends Calls<C>> = {
  readonly [Name in keyof C]: (
    argument: C[Name]['argument'],
    socket: Socket | undefined,
  ) => C[Name]['answer'] | Promise<C[Name]['answer']>;
};

/** A pipe for messages between two processes. Both sides are of this program. */
export interface MessagePipe {
  /** Gives the socket, if there is one, to the other process. Calls `failed` if that is gone. */
  send(message: unknown, failed: (error: Error) => void, socket?: Socket): void;
}

interface Failure {
  readonly message: string;
  /** Of a {@link StartError}. */
  readonly code?: StartErrorCode;
}

interface Call {
  readonly call: number;
  readonly name: string;
  readonly argument: unknown;
}

type Message = Call | { readonly answer: number; readonly value?: unknown; readonly failure?: Failure };

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Calls between a primary and a worker, in both directions. `Own` are those that this side answers. */
export class Channel<Own extends Calls<Own>, Others extends Calls<Others>> {
  readonly #pipe: MessagePipe;
  readonly #handlers: Handlers<Own>;
  readonly #waiting = new Map<number, Waiting>();
  #lastCall = 0;
  #closed: Error | undefined;

  constructor(pipe: MessagePipe, handlers: Handlers<Own>) {
    this.#pipe = pipe;
    this.#handlers = handlers;
  }

  /**
   * Rejects with the failure of the other side, or when the channel closes. The socket, if there is one, goes to the other
   * process, and is closed here.
   */
  call<Name extends keyof Others & string>(
    name: Name,
    argument: Others[Name]['argument'],
    socket?: Socket,
  ): Promise<Others[Name]['answer']> {
    return new Promise<Others[Name]['answer']>((resolve, reject) => {
      if (this.#closed !== undefined) {
        reject(this.#closed);
        return;
      }
      this.#lastCall += 1;
      this.#waiting.set(this.#lastCall, { resolve, reject });
      this.#send({ call: this.#lastCall, name, argument }, socket);
    });
  }

  /** Takes a message of the other side. */
  receive(message: unknown, socket?: Socket): void {
    if (!isMessage(message)) return;
    if ('call' in message) void this.#answer(message, socket);
    else this.#settle(message.answer, message.value, message.failure);
  }

  /** All calls that wait, and later ones, reject. */
  close(error: Error): void {
    this.#closed ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  async #answer({ call, name, argument }: Call, socket: Socket | undefined): Promise<void> {
    try {
      if (!this.#answers(name)) throw new Error(`the other process does not know ${name}`);
      this.#send({ answer: call, value: await this.#handlers[name](argument, socket) });
    } catch (error) {
      this.#send({ answer: call, failure: failureOf(error) });
    }
  }

  #answers(name: PropertyKey): name is keyof Own {
    return Object.hasOwn(this.#handlers, name);
  }

  #settle(call: number, value: unknown, failure: Failure | undefined): void {
    const waiting = this.#waiting.get(call);
    this.#waiting.delete(call);
    if (failure === undefined) waiting?.resolve(value as never);
    else waiting?.reject(errorOf(failure));
  }

  #send(message: Message, socket?: Socket): void {
    this.#pipe.send(message, (error) => this.close(error), socket);
  }
}

function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && ('call' in message || 'answer' in message);
}

function failureOf(error: unknown): Failure {
  const message = messageOf(error);
  return error instanceof StartError ? { message, code: error.code } : { message };
}

function errorOf({ message, code }: Failure): Error {
  return code === undefined ? new Error(message) : new StartError(code, message);
}
