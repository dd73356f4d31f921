type Dispose = () => void | PromiseLike<void>;

/** Parts that are disposed of together, the last one first. */
export class DisposalStack implements AsyncDisposable {
  readonly #disposals: Dispose[] = [];
  #disposed: Promise<void> | undefined;

  /** Adds a part that `dispose` ends. */
  defer(dispose: Dispose): void {
    this.#disposals.push(dispose);
  }

  /** Adds a part, and returns it. */
  use<T extends Disposable>(part: T): T {
    this.defer(() => part[Symbol.dispose]());
    return part;
  }

  /**
   * Disposes of the parts one after another, last first. It continues after a failure, and then rejects with the
   * first one. Every call returns the same promise.
   */
  dispose(): Promise<void> {
    this.#disposed ??= this.#disposeAll();
    return this.#disposed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #disposeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let next = this.#disposals.pop(); next !== undefined; next = this.#disposals.pop()) {
      try {
        await next();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Disposes of parts side by side. Rejects with the first one's failure in their order, once all have ended. */
export async function disposeTogether(disposals: readonly Dispose[]): Promise<void> {
  const ended = await Promise.allSettled(disposals.map(async (dispose) => dispose()));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

/**
 * Builds something from parts. If `build` fails, its open parts are disposed of before this rejects with the failure. If
 * it succeeds, the result owns the stack.
 */
export async function buildFrom<T>(build: (parts: DisposalStack) => Promise<T>): Promise<T> {
  const parts = new DisposalStack();
  try {
    return await build(parts);
  } catch (error) {
    // A second failure, during cleanup, must not hide the first.
    await parts.dispose().catch(() => undefined);
    throw error;
  }
}
