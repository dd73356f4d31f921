/** A syntax error. The message is that of Go's decoder; `offset` counts bytes, including the offending one. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** A well-formed document contains a number beyond all doubles. */
export class JsonNumberRangeError extends Error {
  override readonly name = 'JsonNumberRangeError';

  constructor(text: string) {
    super(`json: cannot unmarshal number ${text} into Go value of type float64`);
  }
}

/** Quotes a byte as syntax errors do: bytes above ASCII are read as Latin-1. */
export function quoteByte(byte: number): string {
  switch (byte) {
    case 0x27:
      return "'\\''";
    case 0x5c:
      return "'\\\\'";
    case 0x07:
      return "'\\a'";
    case 0x08:
      return "'\\b'";
    case 0x09:
      return "'\\t'";
    case 0x0a:
      return "'\\n'";
    case 0x0b:
      return "'\\v'";
    case 0x0c:
      return "'\\f'";
    case 0x0d:
      return "'\\r'";
  }
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, '0')}'`;
  if ((byte > 0x7f && byte <= 0xa0) || byte === 0xad) return `'\\u00${byte.toString(16)}'`;
  return `'${String.fromCharCode(byte)}'`;
}
