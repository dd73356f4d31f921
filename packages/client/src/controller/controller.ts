import type { TypedObject } from '../typed/index.js';
import { BoundController } from './bound-controller.js';
import type { ControllerOptions, ReconcileOptions } from './controller-options.js';
import type { Component, ControllerEnvironment } from './environment.js';
import type { Runnable } from './runnable.js';
import { type Source, sourcesOf } from './sources.js';

/** Keeps calling `reconcile` for what has changed. See the README for what it promises. */
export class Controller<
  T extends TypedObject = TypedObject,
  O extends readonly TypedObject[] = readonly TypedObject[],
  W extends readonly TypedObject[] = readonly TypedObject[],
  R extends readonly TypedObject[] = readonly TypedObject[],
> implements Component
{
  readonly name: string;
  readonly #options: ReconcileOptions;
  readonly #sources: readonly Source[];

  /** Throws a TypeError for options that make no controller. */
  constructor(options: ControllerOptions<T, O, W, R>) {
    const name = options.name ?? options.for?.kind.toLowerCase();
    if (name === undefined) throw new TypeError('a controller without "for" needs a name');
    const { concurrency = 1 } = options;
    if (!Number.isInteger(concurrency) || concurrency < 1) throw new TypeError('concurrency must be 1 or more');
    this.name = name;
    this.#options = options;
    // What each source is told is of its own kind: that is what its informer reads.
    this.#sources = sourcesOf(options as unknown as Parameters<typeof sourcesOf>[0]);
  }

  /** Asks for its informers, which somebody else starts. What it gives may be run again after it has ended. */
  bind(environment: ControllerEnvironment): Runnable {
    return new BoundController(this.name, this.#sources, this.#options, environment);
  }
}
