const ESCAPE =
  /\\(?:([abfnrtv\\?"'`])|[xX]([0-9a-fA-F]{2})|([0-3][0-7]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]|$))/g;

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const HIGHEST_POINT = 0x10ffff;

/**
 * Decodes the escapes in a quoted literal; undefined for an invalid escape. `\xff` and `\377` are a code point in a
 * string and a byte in bytes, where `\u` is not allowed. Upstream: cel-go `parser/unescape.go`.
 */
export function readEscapes(content: string, isBytes: boolean): { text: string; bytes: Uint8Array } | undefined {
  const parts: Buffer[] = [];
  let text = '';
  let at = 0;
  const add = (piece: string, bytes: Buffer): void => {
    text += piece;
    if (isBytes) parts.push(bytes);
  };
  for (const found of content.matchAll(ESCAPE)) {
    const [whole, simple, hex, octal, short, long] = found;
    const plain = content.slice(at, found.index);
    add(plain, Buffer.from(plain));
    at = found.index + whole.length;
    if (simple !== undefined) {
      const char = SIMPLE[simple] ?? simple;
      add(char, Buffer.from(char));
      continue;
    }
    const code =
      hex !== undefined ? Number.parseInt(hex, 16) : octal !== undefined ? Number.parseInt(octal, 8) : undefined;
    if (code !== undefined) {
      add(String.fromCodePoint(code), Buffer.of(code));
      continue;
    }
    const digits = short ?? long;
    if (digits === undefined || isBytes) return undefined;
    const point = Number.parseInt(digits, 16);
    if (point > HIGHEST_POINT || (point >= 0xd800 && point <= 0xdfff)) return undefined;
    add(String.fromCodePoint(point), Buffer.alloc(0));
  }
  const rest = content.slice(at);
  add(rest, Buffer.from(rest));
  return { text, bytes: Buffer.concat(parts) };
}
