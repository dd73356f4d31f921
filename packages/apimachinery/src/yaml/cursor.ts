const TAB = 0x09;
const LINE_FEED = 0x0a;
const SPACE = 0x20;
const LINE_SEPARATOR = 0x2028;
const PARAGRAPH_SEPARATOR = 0x2029;

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** Whether a character ends a line. The text has no carriage returns and no next-line characters. */
export function isBreak(code: number): boolean {
  return code === LINE_FEED || code === LINE_SEPARATOR || code === PARAGRAPH_SEPARATOR;
}

/** The code of the end of the text is NaN. */
export function isBreakOrEnd(code: number): boolean {
  return isBreak(code) || Number.isNaN(code);
}

export function isBlankOrEnd(code: number): boolean {
  return isBlank(code) || isBreakOrEnd(code);
}

/** A place in a text, which knows its line and column. Both count from zero. */
export class Cursor {
  readonly text: string;
  at = 0;
  line = 0;
  #lineStart = 0;

  constructor(text: string) {
    this.text = text;
  }

  get column(): number {
    return this.at - this.#lineStart;
  }

  /** The code of the character at `offset` from here; NaN beyond the end. */
  code(offset = 0): number {
    return this.text.charCodeAt(this.at + offset);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  get isAtBreak(): boolean {
    return isBreak(this.code());
  }

  /** Moves past a line break and returns it; an empty text if there is none. */
  readBreak(): string {
    if (!this.isAtBreak) return '';
    this.at++;
    this.line++;
    this.#lineStart = this.at;
    return this.text.charAt(this.at - 1);
  }

  skipBlanks(): void {
    while (isBlank(this.code())) this.at++;
  }

  skipSpaces(): void {
    while (this.code() === SPACE) this.at++;
  }

  /** Moves to the end of the line. */
  skipLine(): void {
    while (!isBreakOrEnd(this.code())) this.at++;
  }

  /** Moves past a match of a sticky pattern and returns it; an empty text if there is none. */
  read(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text)?.[0] ?? '';
    this.at += match.length;
    return match;
  }

  /** Whether `---` or `...` starts the line. */
  isAtDocumentMark(mark?: '---' | '...'): boolean {
    if (this.column !== 0 || !isBlankOrEnd(this.code(3))) return false;
    const found = this.text.slice(this.at, this.at + 3);
    return mark === undefined ? found === '---' || found === '...' : found === mark;
  }
}
