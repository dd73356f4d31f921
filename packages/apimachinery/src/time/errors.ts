/** A malformed time or duration. The message is Go's. */
export class TimeParseError extends Error {
  override readonly name = 'TimeParseError';
}

/** Quotes as Go's time package does in errors: escapes everything but printable ASCII by its UTF-8 bytes. */
export function quoteTimeText(text: string): string {
  let out = '"';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0x80 || code < 0x20) {
      for (const byte of Buffer.from(character)) out += `\\x${byte.toString(16).padStart(2, '0')}`;
    } else {
      out += character === '"' || character === '\\' ? `\\${character}` : character;
    }
  }
  return `${out}"`;
}
