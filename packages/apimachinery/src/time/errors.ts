/** A time or duration that does not parse. The message is Go's. */
export class TimeParseError extends Error {
  override readonly name = 'TimeParseError';
}

/** Quotes as Go's time package does in its errors: everything beyond printable ASCII as the bytes of its UTF-8. */
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
