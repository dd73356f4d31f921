import type { KeyValue, RangeResult } from '../interface/index.js';
import type { ServerMessage } from './protocol/answers.js';
import { ProtocolError } from './protocol/frame-reader.js';

/** The messages that answer a request. */
export type Answer = Extract<
  ServerMessage,
  { readonly type: 'revision' | 'range' | 'txn' | 'status' | 'history' | 'done' }
>;
type AnswerOf<Type extends Answer['type']> = Extract<Answer, { readonly type: Type }>;

interface Call {
  readonly type: Answer['type'];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** The parts of a range that have arrived. */
  items: KeyValue[] | undefined;
}

/** Requests that wait for their answers. */
export class Calls {
  readonly #waiting = new Map<number, Call>();
  #idle: (() => void) | undefined;

  /** Resolves with the answer, which has this type. */
  wait<Type extends Answer['type']>(id: number, type: Type): Promise<AnswerOf<Type>> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {
        type,
        resolve: (answer) => resolve(answer as AnswerOf<Type>),
        reject,
        items: undefined,
      });
    });
  }

  /** Part of a range. */
  part(id: number, items: readonly KeyValue[]): void {
    const call = this.#waiting.get(id);
    if (call?.type !== 'range') throw new ProtocolError('items answer no range');
    call.items ??= [];
    for (const item of items) call.items.push(item);
  }

  answer(answer: Answer): void {
    const call = this.#waiting.get(answer.id);
    if (call?.type !== answer.type) throw new ProtocolError(`a message of type ${answer.type} answers no request`);
    this.#remove(answer.id);
    call.resolve(answer.type === 'range' ? { ...answer, result: whole(call.items, answer.result) } : answer);
  }

  fail(id: number, error: unknown): void {
    const call = this.#waiting.get(id);
    if (call === undefined) throw new ProtocolError('a failure answers no request');
    this.#remove(id);
    call.reject(error);
  }

  failAll(error: Error): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const call of all) call.reject(error);
    this.#idle?.();
  }

  /** Settles when no request waits. */
  async settled(): Promise<void> {
    while (this.#waiting.size > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
  }

  #remove(id: number): void {
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#idle?.();
  }
}

function whole(parts: readonly KeyValue[] | undefined, result: RangeResult): RangeResult {
  return parts === undefined ? result : { ...result, items: [...parts, ...result.items] };
}
