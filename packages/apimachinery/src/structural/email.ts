import { parseIpAddress } from '../validation/index.js';

/** Whether a text is one mail address: `a@b`, `Name <a@b>`, or a group of one. Upstream: Go's `mail.ParseAddress`. */
export function isEmail(text: string): boolean {
  const parser = new AddressParser(text);
  return parser.address(true) === 1 && parser.skipComments() && parser.isEmpty;
}

const SPACE = /^[ \t]*/;
/** Any printable character that has no meaning of its own, and any one beyond ASCII. */
const ATOM = /^[!#-'*+\-./0-9=?A-Z^-~\u0080-\uffff]+/;
const LITERAL = /^\[[!-Z^-~\u0080-\uffff]*\]/;
const ENCODED = /^=\?([^?]+)\?([BbQq])\?([^?]*)\?=$/s;
const KNOWN_CHARSET = /^(?:utf-8|iso-8859-1|us-ascii)$/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const NOT_QUOTED_PRINTABLE = /[^\t\n\r -~]|=(?![0-9A-Fa-f]{2})/;

class AddressParser {
  #rest: string;

  constructor(text: string) {
    this.#rest = text;
  }

  get isEmpty(): boolean {
    return this.#rest === '';
  }

  /** Reads an address, or a group of them if that may stand here. Returns their number; undefined = an error. */
  address(mayBeGroup: boolean): number | undefined {
    this.#take(SPACE);
    if (this.#specification()) {
      this.#take(SPACE);
      return this.#rest.startsWith('(') && !this.#nameComment() ? undefined : 1;
    }
    if (!this.#rest.startsWith('<') && !this.#phrase()) return undefined;
    this.#take(SPACE);
    if (mayBeGroup && this.#consume(':')) return this.#group();
    return this.#consume('<') && this.#specification() && this.#consume('>') ? 1 : undefined;
  }

  /** Skips spaces and comments; false if a comment does not end. */
  skipComments(): boolean {
    this.#take(SPACE);
    while (this.#consume('(')) {
      if (this.#comment() === undefined) return false;
      this.#take(SPACE);
    }
    return true;
  }

  #group(): number | undefined {
    this.#take(SPACE);
    if (this.#consume(';')) return this.skipComments() ? 0 : undefined;
    for (let count = 1; ; count++) {
      if (this.address(false) === undefined || !this.skipComments()) return undefined;
      if (this.#consume(';')) return this.skipComments() ? count : undefined;
      if (!this.#consume(',')) return undefined;
    }
  }

  /** Reads `a@b`; reads nothing if there is none. */
  #specification(): boolean {
    const before = this.#rest;
    this.#take(SPACE);
    if (this.#localPart() && this.#consume('@') && this.#domain()) return true;
    this.#rest = before;
    return false;
  }

  #localPart(): boolean {
    if (!this.#rest.startsWith('"')) return isDotted(this.#take(ATOM));
    const quoted = this.#quoted();
    return quoted !== undefined && quoted !== '""';
  }

  /** Reads a quoted text, and returns it with its quotes; undefined if there is none. */
  #quoted(): string | undefined {
    const text = this.#rest;
    for (let at = 1; at < text.length; at++) {
      const isEscaped = text.charAt(at) === '\\';
      if (isEscaped) at++;
      else if (text.charAt(at) === '"') {
        this.#rest = text.slice(at + 1);
        return text.slice(0, at + 1);
      }
      if (!/[ -~\t\u0080-\uffff]/.test(text.charAt(at))) return undefined;
    }
    return undefined;
  }

  #domain(): boolean {
    this.#take(SPACE);
    if (!this.#rest.startsWith('[')) return isDotted(this.#take(ATOM));
    const literal = this.#take(LITERAL);
    return literal !== undefined && parseIpAddress(literal.slice(1, -1))?.leadingZeros === false;
  }

  /** Reads the words of a name. Only a first word that is wrong is an error. */
  #phrase(): boolean {
    for (let words = 0, plain = 0; ; words++) {
      if (plain > 0 && !this.skipComments()) return false;
      this.#take(SPACE);
      if (this.isEmpty) return true;
      const word = this.#rest.startsWith('"') ? this.#quoted() : this.#take(ATOM);
      if (word === undefined || hasUnknownCharset(word)) return words > 0;
      // Comments may follow the first word that is not encoded.
      if (word.startsWith('"') || !isEncoded(word)) plain++;
    }
  }

  #nameComment(): boolean {
    this.#consume('(');
    const comment = this.#comment();
    return comment !== undefined && !comment.split(/[ \t]+/).some(hasUnknownCharset);
  }

  /** The text of a comment whose parenthesis has been read; undefined if it does not end. */
  #comment(): string | undefined {
    let text = '';
    let at = 0;
    for (let depth = 1; at < this.#rest.length; at++) {
      const character = this.#rest.charAt(at);
      if (character === '\\' && at + 1 < this.#rest.length) at++;
      else if (character === '(') depth++;
      else if (character === ')') depth--;
      if (depth === 0) {
        this.#rest = this.#rest.slice(at + 1);
        return text;
      }
      text += this.#rest.charAt(at);
    }
    return undefined;
  }

  #consume(character: string): boolean {
    if (!this.#rest.startsWith(character)) return false;
    this.#rest = this.#rest.slice(1);
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    const taken = pattern.exec(this.#rest)?.[0];
    if (taken !== undefined) this.#rest = this.#rest.slice(taken.length);
    return taken;
  }
}

function isDotted(atom: string | undefined): boolean {
  return atom !== undefined && !atom.startsWith('.') && !atom.endsWith('.') && !atom.includes('..');
}

/** Whether a word is encoded, in a charset that is known or not. */
function isEncoded(word: string): boolean {
  const [, , encoding = '', text = ''] = ENCODED.exec(word) ?? [];
  if (encoding === '' || Buffer.byteLength(word) < 8) return false;
  if (encoding.toLowerCase() !== 'b') return !NOT_QUOTED_PRINTABLE.test(text);
  const digits = text.replace(/[\r\n]+/g, '');
  return digits.length % 4 === 0 && BASE64.test(digits);
}

function hasUnknownCharset(word: string): boolean {
  return isEncoded(word) && !KNOWN_CHARSET.test(ENCODED.exec(word)?.[1] ?? '');
}
