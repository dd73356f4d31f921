const INTERRUPT = '\u0003';
const END = '\u0004';
const ERASE: ReadonlySet<string> = new Set(['\b', '\u007f']);
/** The longest line, as in Linux' line discipline. */
const MAX_LINE = 4096;

export interface Typed {
  /** The bytes that the terminal shows. */
  readonly echo: string;
  /** Whole lines for the program. */
  readonly lines: string;
  /** `^C`, or `^D` on an empty line: no input follows. */
  readonly ends: 'interrupt' | 'end' | undefined;
}

/** The line discipline of a terminal: it collects keys into lines, and echoes them. */
export class Terminal {
  #line = '';

  type(keys: string): Typed {
    let [echo, lines] = ['', ''];
    // The escape sequences of arrows and the like have no effect.
    for (const key of keys.replaceAll(/\u001b(?:\[[\d;]*[ -/]*[@-~]|O.|.)?/g, '')) {
      if (key === INTERRUPT) {
        this.#line = '';
        return { echo: `${echo}^C\r\n`, lines, ends: 'interrupt' };
      }
      if (key === END && this.#line === '') return { echo, lines, ends: 'end' };
      if (ERASE.has(key)) {
        if (this.#line !== '') echo += '\b \b';
        this.#line = this.#line.slice(0, -1);
      } else if (key === '\r' || key === '\n') {
        echo += '\r\n';
        lines += `${this.#line}\n`;
        this.#line = '';
      } else if (key >= ' ' && this.#line.length < MAX_LINE) {
        echo += key;
        this.#line += key;
      }
    }
    return { echo, lines, ends: undefined };
  }

  /** Output of a program, as a terminal shows it. */
  static show(bytes: Buffer): Buffer {
    return bytes.includes(0x0a) ? Buffer.from(bytes.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1') : bytes;
  }
}
