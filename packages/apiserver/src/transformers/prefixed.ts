import type { Clock } from '@binnacle/apimachinery/clock';
import { type ReadValue, type Transformer, TransformError, type ValueContext } from './transformer.js';

export type TransformationType = 'from_storage' | 'to_storage';

/** Counts transformations. It must not throw. */
export interface TransformationObserver {
  /** `status`: `OK`, the name of a gRPC status, or `unknown-non-grpc`. */
  transformed(resource: string, type: TransformationType, prefix: string, status: string, seconds: number): void;
}

export interface PrefixedTransformer {
  /** Empty for values that are stored as they are. */
  readonly prefix: string;
  readonly transformer: Transformer;
}

export interface PrefixedOptions {
  /** The first one writes. */
  readonly choices: readonly [PrefixedTransformer, ...PrefixedTransformer[]];
  /** The error of a value with none of the prefixes. */
  readonly unmatched: string;
  readonly observer: TransformationObserver;
  readonly clock: Pick<Clock, 'monotonic'>;
}

interface Choice {
  readonly prefix: Buffer;
  readonly name: string;
  readonly transformer: Transformer;
}

interface Reading {
  readonly stored: Uint8Array;
  readonly context: ValueContext;
  readonly start: number;
  readonly errors: TransformError[];
}

/**
 * Reads a value with the first transformer that has its prefix and can read it. A value is stale unless the first
 * transformer of all read it. Upstream: apiserver `pkg/storage/value/transformer.go`.
 */
export class Prefixed implements Transformer {
  readonly #options: PrefixedOptions;
  readonly #choices: readonly Choice[];
  readonly #first: Choice;

  constructor(options: PrefixedOptions) {
    this.#options = options;
    const choiceOf = ({ prefix, transformer }: PrefixedTransformer): Choice => ({
      prefix: Buffer.from(prefix),
      name: prefix,
      transformer,
    });
    this.#choices = options.choices.map(choiceOf);
    this.#first = choiceOf(options.choices[0]);
  }

  read(stored: Uint8Array, context: ValueContext): ReadValue | Promise<ReadValue> {
    return this.#readFrom(0, { stored, context, start: this.#options.clock.monotonic(), errors: [] });
  }

  write(value: Uint8Array, context: ValueContext): Uint8Array {
    const start = this.#options.clock.monotonic();
    const { transformer, prefix, name } = this.#first;
    let status = 'OK';
    try {
      const result = transformer.write(value, context);
      return prefix.length === 0 ? result : Buffer.concat([prefix, result]);
    } catch (error) {
      status = transformErrorOf(error).status;
      throw error;
    } finally {
      this.#observe('to_storage', context, name, status, start);
    }
  }

  #readFrom(first: number, reading: Reading): ReadValue | Promise<ReadValue> {
    const { stored, context } = reading;
    for (const [index, { prefix, transformer }] of this.#choices.entries()) {
      if (index < first || !startsWith(stored, prefix)) continue;
      try {
        // The value itself shows that nothing was transformed.
        const rest = prefix.length === 0 ? stored : stored.subarray(prefix.length);
        const result = transformer.read(rest, context);
        return result instanceof Promise ? this.#readLater(result, index, reading) : this.#done(result, index, reading);
      } catch (error) {
        this.#failed(error, index, reading);
      }
    }
    throw this.#errorOf(reading);
  }

  async #readLater(pending: Promise<ReadValue>, index: number, reading: Reading): Promise<ReadValue> {
    try {
      return this.#done(await pending, index, reading);
    } catch (error) {
      this.#failed(error, index, reading);
      return this.#readFrom(index + 1, reading);
    }
  }

  #done(read: ReadValue, index: number, { context, start }: Reading): ReadValue {
    this.#observe('from_storage', context, this.#choices[index]?.name ?? '', 'OK', start);
    return index > 0 ? { ...read, isStale: true } : read;
  }

  /** Another transformer with the same prefix may have the right key. */
  #failed(error: unknown, index: number, { context, start, errors }: Reading): void {
    const failure = transformErrorOf(error);
    const name = this.#choices[index]?.name ?? '';
    // It has no key, so its error says nothing about the value.
    if (name === '') return;
    this.#observe('from_storage', context, name, failure.status, start);
    errors.push(failure);
  }

  #errorOf({ context, start, errors }: Reading): TransformError {
    const [error] = errors;
    if (error === undefined) {
      const unmatched = new TransformError(this.#options.unmatched);
      this.#observe('from_storage', context, 'unknown', unmatched.status, start);
      return unmatched;
    }
    const messages = [...new Set(errors.map(({ message }) => message))];
    if (messages.length === 1) return error;
    return new TransformError(`[${messages.join(', ')}]`, {
      isTransient: errors.some(({ isTransient }) => isTransient),
      status: error.status,
    });
  }

  #observe(type: TransformationType, context: ValueContext, name: string, status: string, start: number): void {
    const { observer, clock } = this.#options;
    const prefix = name === '' && type === 'from_storage' ? 'identity' : name;
    observer.transformed(context.resource, type, prefix, status, (clock.monotonic() - start) / 1000);
  }
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}

/** Any other error is a fault of the program. */
function transformErrorOf(error: unknown): TransformError {
  if (error instanceof TransformError) return error;
  throw error;
}
