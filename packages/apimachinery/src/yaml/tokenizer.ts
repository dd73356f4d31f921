import type { Steps } from '../work/index.js';
import { Cursor, isBlankOrEnd } from './cursor.js';
import { scanAnchor, scanDirective, scanTag } from './properties.js';
import { scanBlock, scanPlain, scanQuoted } from './scalars.js';
import type { PossibleKey, Token, TokenType } from './token.js';
import { scanError } from './yaml-error.js';

/** About a millisecond of work. */
const TOKENS_PER_STEP = 1000;
const LINES_PER_STEP = 4000;
/** How far the colon of a key may be from its start. */
const KEY_MAXIMUM = 1024;

const BYTE_ORDER_MARK = 0xfeff;

/**
 * Divides a document into tokens. Indentation becomes tokens for the start and end of blocks. A colon shows that an
 * earlier token started a key, so a token that may start one waits until that is decided.
 */
export class Tokenizer {
  readonly #cursor: Cursor;
  readonly #queue: Token[] = [];
  /** How many tokens have left the queue. */
  #taken = 0;
  #fetched = 0;
  /** The column of the innermost block; -1 outside of all. */
  #indent = -1;
  readonly #outerIndents: number[] = [];
  /** The possible key of each open flow collection, after that of the block around them. */
  readonly #keys: (PossibleKey | undefined)[] = [undefined];
  #allowsKey = true;

  constructor(text: string) {
    this.#cursor = new Cursor(text);
  }

  /** Returns the next token and removes it. After the end of the stream there is none. */
  *next(): Steps<Token> {
    for (;;) {
      const head = this.#queue[0];
      if (head !== undefined && !(head.key !== undefined && this.#isValid(head.key))) {
        this.#queue.shift();
        this.#taken++;
        return head;
      }
      yield* this.#fetch();
      if (++this.#fetched % TOKENS_PER_STEP === 0) yield;
    }
  }

  get #isFlow(): boolean {
    return this.#keys.length > 1;
  }

  *#fetch(): Steps<void> {
    const cursor = this.#cursor;
    yield* this.#skipToToken();
    this.#closeBlocks(cursor.column);
    if (cursor.isAtEnd) return this.#endStream();
    if (cursor.column === 0 && this.#fetchAtLineStart()) return;
    const character = cursor.text.charAt(cursor.at);
    switch (character) {
      case '[':
        return this.#openFlow('flow-list-start');
      case '{':
        return this.#openFlow('flow-map-start');
      case ']':
        return this.#closeFlow('flow-list-end');
      case '}':
        return this.#closeFlow('flow-map-end');
      case ',':
        this.#dropKey();
        this.#allowsKey = true;
        return this.#indicator('flow-entry');
      case '*':
        return this.#keyStart('alias', () => scanAnchor(cursor));
      case '&':
        return this.#keyStart('anchor', () => scanAnchor(cursor));
      case '!':
        return this.#fetchTag();
      case '"':
      case "'":
        return yield* this.#fetchScalar(() => scanQuoted(cursor, character));
      case '|':
      case '>':
        if (!this.#isFlow) return yield* this.#fetchBlockScalar();
        break;
    }
    const beforeBlank = isBlankOrEnd(cursor.code(1));
    if (character === '-' && beforeBlank) return this.#fetchEntry();
    if (character === '?' && (this.#isFlow || beforeBlank)) return this.#fetchKey();
    if (character === ':' && (this.#isFlow || beforeBlank)) return this.#fetchValue();
    if ('#|>%@`\t'.includes(character)) {
      throw scanError(cursor.line, 'found character that cannot start any token');
    }
    yield* this.#fetchPlain();
  }

  /** Moves past blanks, comments and line breaks. A tab may not be where a key may start. */
  *#skipToToken(): Steps<void> {
    const cursor = this.#cursor;
    for (let lines = 1; ; lines++) {
      if (cursor.at === 0 && cursor.code() === BYTE_ORDER_MARK) cursor.at++;
      if (this.#isFlow || !this.#allowsKey) cursor.skipBlanks();
      else cursor.skipSpaces();
      if (cursor.text.charAt(cursor.at) === '#') cursor.skipLine();
      if (cursor.readBreak() === '') return;
      if (!this.#isFlow) this.#allowsKey = true;
      if (lines % LINES_PER_STEP === 0) yield;
    }
  }

  /** Whether the line starts with a directive or a mark between documents, which is then fetched. */
  #fetchAtLineStart(): boolean {
    const cursor = this.#cursor;
    const isDirective = cursor.text.charAt(cursor.at) === '%';
    if (!isDirective && !cursor.isAtDocumentMark()) return false;
    this.#closeBlocks(-1);
    this.#dropKey();
    this.#allowsKey = false;
    const { line } = cursor;
    if (isDirective) {
      const { type, text, handle } = scanDirective(cursor);
      this.#push(type, line, { text, handle });
      return true;
    }
    this.#push(cursor.isAtDocumentMark('---') ? 'document-start' : 'document-end', line);
    cursor.at += 3;
    return true;
  }

  #endStream(): void {
    if (this.#cursor.column !== 0) this.#cursor.line++;
    this.#closeBlocks(-1);
    this.#dropKey();
    this.#allowsKey = false;
    this.#push('stream-end', this.#cursor.line);
  }

  #openFlow(type: TokenType): void {
    const key = this.#possibleKey();
    this.#keys.push(undefined);
    this.#allowsKey = true;
    this.#indicator(type, key);
  }

  #closeFlow(type: TokenType): void {
    this.#dropKey();
    if (this.#isFlow) this.#keys.pop();
    this.#allowsKey = false;
    this.#indicator(type);
  }

  #fetchEntry(): void {
    if (!this.#isFlow) {
      this.#require(this.#allowsKey, 'block sequence entries are not allowed in this context');
      this.#openBlock('block-list-start');
    }
    this.#dropKey();
    this.#allowsKey = true;
    this.#indicator('block-entry');
  }

  #fetchKey(): void {
    if (!this.#isFlow) {
      this.#require(this.#allowsKey, 'mapping keys are not allowed in this context');
      this.#openBlock('block-map-start');
    }
    this.#dropKey();
    this.#allowsKey = !this.#isFlow;
    this.#indicator('key');
  }

  #fetchValue(): void {
    const key = this.#keys.at(-1);
    if (key !== undefined && this.#isValid(key)) {
      const place = key.number - this.#taken;
      this.#queue.splice(place, 0, newToken('key', key.line));
      if (this.#indentTo(key.column)) this.#queue.splice(place, 0, newToken('block-map-start', key.line));
      key.isPossible = false;
      this.#allowsKey = false;
    } else {
      if (!this.#isFlow) {
        this.#require(this.#allowsKey, 'mapping values are not allowed in this context');
        this.#openBlock('block-map-start');
      }
      this.#allowsKey = !this.#isFlow;
    }
    this.#indicator('value');
  }

  #fetchTag(): void {
    const key = this.#possibleKey();
    this.#allowsKey = false;
    const { line } = this.#cursor;
    const { handle, suffix } = scanTag(this.#cursor);
    this.#push('tag', line, { text: suffix, handle, key });
  }

  #keyStart(type: TokenType, scan: () => string): void {
    const key = this.#possibleKey();
    this.#allowsKey = false;
    const { line } = this.#cursor;
    this.#push(type, line, { text: scan(), key });
  }

  *#fetchScalar(scan: () => Steps<string>): Steps<void> {
    const key = this.#possibleKey();
    this.#allowsKey = false;
    const { line } = this.#cursor;
    this.#push('scalar', line, { text: yield* scan(), key });
  }

  *#fetchPlain(): Steps<void> {
    const key = this.#possibleKey();
    this.#allowsKey = false;
    const { line } = this.#cursor;
    const { text, endsLine } = yield* scanPlain(this.#cursor, this.#indent + 1, this.#isFlow);
    if (endsLine) this.#allowsKey = true;
    this.#push('scalar', line, { text, isPlain: true, key });
  }

  *#fetchBlockScalar(): Steps<void> {
    this.#dropKey();
    this.#allowsKey = true;
    const { line } = this.#cursor;
    this.#push('scalar', line, { text: yield* scanBlock(this.#cursor, this.#indent) });
  }

  #indicator(type: TokenType, key?: PossibleKey): void {
    this.#push(type, this.#cursor.line, { key });
    this.#cursor.at++;
  }

  #push(type: TokenType, line: number, fields?: TokenFields): void {
    this.#queue.push(newToken(type, line, fields));
  }

  #require(condition: boolean, problem: string): void {
    if (!condition) throw scanError(this.#cursor.line, problem);
  }

  #openBlock(type: TokenType): void {
    if (this.#indentTo(this.#cursor.column)) this.#push(type, this.#cursor.line);
  }

  /** Whether a block starts at this column. */
  #indentTo(column: number): boolean {
    if (this.#isFlow || this.#indent >= column) return false;
    this.#outerIndents.push(this.#indent);
    this.#indent = column;
    return true;
  }

  #closeBlocks(column: number): void {
    if (this.#isFlow) return;
    while (this.#indent > column) {
      this.#push('block-end', this.#cursor.line);
      this.#indent = this.#outerIndents.pop() ?? -1;
    }
  }

  /** The next token as the start of a key, where one may start. It replaces an earlier one of the same collection. */
  #possibleKey(): PossibleKey | undefined {
    if (!this.#allowsKey) return undefined;
    this.#dropKey();
    const { at, line, column } = this.#cursor;
    const key: PossibleKey = {
      number: this.#taken + this.#queue.length,
      at,
      line,
      column,
      isRequired: !this.#isFlow && this.#indent === column,
      isPossible: true,
    };
    this.#keys[this.#keys.length - 1] = key;
    return key;
  }

  #dropKey(): void {
    const key = this.#keys.at(-1);
    if (key?.isPossible !== true) return;
    this.#require(!key.isRequired, noColon);
    key.isPossible = false;
  }

  /** Whether a colon here makes a key of the token. */
  #isValid(key: PossibleKey): boolean {
    if (!key.isPossible) return false;
    if (key.line === this.#cursor.line && key.at + KEY_MAXIMUM >= this.#cursor.at) return true;
    this.#require(!key.isRequired, noColon);
    key.isPossible = false;
    return false;
  }
}

const noColon = "could not find expected ':'";

interface TokenFields {
  readonly text?: string;
  readonly handle?: string;
  readonly isPlain?: boolean;
  readonly key?: PossibleKey | undefined;
}

function newToken(type: TokenType, line: number, fields: TokenFields = {}): Token {
  const { text = '', handle = '', isPlain = false, key } = fields;
  return { type, line, text, handle, isPlain, key };
}
