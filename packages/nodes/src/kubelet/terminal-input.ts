import { Terminal } from '../shell/index.js';

/** The most characters that wait for the command. Beyond that, the client waits. */
const MAX_HELD = 65_536;

/** The lines that a person types, echoed to the person. It reads on while a command runs, so that `^C` reaches it. */
export class TerminalInput implements AsyncIterable<Buffer> {
  readonly #terminal = new Terminal();
  readonly #echo: (bytes: Buffer) => Promise<void>;
  readonly #interrupt: () => void;
  readonly #hasPrompt: boolean;
  #held = '';
  #hasEnded = false;
  #isWaiting = false;
  #wake: () => void = () => undefined;

  /** `interrupt` is called for `^C`, except at a prompt: while the shell waits for a line. */
  constructor(
    source: AsyncIterable<Buffer>,
    echo: (bytes: Buffer) => Promise<void>,
    interrupt: () => void,
    hasPrompt = true,
  ) {
    this.#hasPrompt = hasPrompt;
    this.#echo = echo;
    this.#interrupt = interrupt;
    void this.#read(source)
      // The connection has ended.
      .catch(() => undefined)
      .finally(() => {
        this.#hasEnded = true;
        this.#wake();
      });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#held !== '') {
        const lines = this.#held;
        this.#held = '';
        this.#wake();
        yield Buffer.from(lines);
      } else if (this.#hasEnded) return;
      else {
        this.#isWaiting = true;
        await this.#change();
        this.#isWaiting = false;
      }
    }
  }

  async #read(source: AsyncIterable<Buffer>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of source) {
      const { echo, lines, ends } = this.#terminal.type(decoder.decode(bytes, { stream: true }));
      if (echo !== '') await this.#echo(Buffer.from(echo));
      this.#held += lines;
      if (ends === 'end') return;
      if (ends === 'interrupt') {
        if (!this.#isWaiting || !this.#hasPrompt) return this.#interrupt();
        this.#held += '\n';
      }
      this.#wake();
      while (this.#held.length > MAX_HELD) await this.#change();
    }
  }

  #change(): Promise<void> {
    const before = this.#wake;
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = () => undefined;
        before();
        resolve();
      };
    });
  }
}
