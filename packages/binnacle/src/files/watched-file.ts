import { readFile } from 'node:fs/promises';
import { type Clock, repeat } from '@binnacle/apimachinery/clock';

export interface WatchedFileOptions<T> {
  readonly path: string;
  /** Makes the value of the file's text. Rejects when the text is wrong. */
  readonly read: (text: string) => T | Promise<T>;
  readonly clock: Clock;
  /** Called with the text that is in use: at first, and after each change. Default: nothing. */
  readonly loaded?: (text: string, isFirst: boolean) => void;
  /** Called when a changed file cannot be read, or is wrong; the former value stays. */
  readonly failed: (error: unknown) => void;
}

/** How often the file is read. */
const PERIOD_MS = 2000;

/** The value of a file, which is read again when its text changes. Dispose it to end that. */
export class WatchedFile<T> implements Disposable {
  readonly #options: WatchedFileOptions<T>;
  readonly #timer: Disposable;
  #text: string;
  #current: T;
  #isReading = false;
  #failure: string | undefined;

  private constructor(options: WatchedFileOptions<T>, text: string, current: T) {
    this.#options = options;
    this.#text = text;
    this.#current = current;
    this.#timer = repeat(options.clock, PERIOD_MS, () => void this.#readAgain());
  }

  /** Rejects when the file cannot be read, or is wrong. */
  static async open<T>(options: WatchedFileOptions<T>): Promise<WatchedFile<T>> {
    const text = await readFile(options.path, 'utf8');
    const current = await options.read(text);
    options.loaded?.(text, true);
    return new WatchedFile(options, text, current);
  }

  /** The same object as long as the file does not change. */
  get current(): T {
    return this.#current;
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  async #readAgain(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const text = await readFile(this.#options.path, 'utf8');
      if (text !== this.#text) {
        // A wrong text is reported once.
        this.#text = text;
        this.#current = await this.#options.read(text);
        this.#options.loaded?.(text, false);
      }
      this.#failure = undefined;
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isReading = false;
    }
  }

  /** Reports a lasting failure once. */
  #fail(error: unknown): void {
    const message = String(error);
    if (message !== this.#failure) this.#options.failed(error);
    this.#failure = message;
  }
}
