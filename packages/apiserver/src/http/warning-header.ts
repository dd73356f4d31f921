const TOTAL_CHARACTERS = 4 * 1024;
const ITEM_CHARACTERS = 256;
/** So many UTF-16 units have more than {@link TOTAL_CHARACTERS} characters. The rest of a text cannot affect a header. */
const ENOUGH_UNITS = 2 * (TOTAL_CHARACTERS + 1);

/**
 * `Warning` header values for the given texts, in order. When together they are too long, each is shortened, and those that
 * still do not fit are left out. So are texts with control characters, which cannot be sent.
 * Upstream: apiserver `pkg/endpoints/filters/warning.go`.
 */
export function warningHeaders(texts: readonly string[]): string[] {
  const sendable = texts
    .filter((text) => text !== '' && !/\p{Cc}/u.test(text))
    .map((text) => Array.from(text.slice(0, ENOUGH_UNITS)));
  const total = sendable.reduce((sum, characters) => sum + characters.length, 0);
  if (total <= TOTAL_CHARACTERS) return sendable.map(warningHeader);
  const headers: string[] = [];
  let written = 0;
  for (const characters of sendable) {
    if (written >= TOTAL_CHARACTERS) break;
    const shortened = characters.slice(0, ITEM_CHARACTERS);
    written += shortened.length;
    headers.push(warningHeader(shortened));
  }
  return headers;
}

/** Node.js sends one byte for each character of a header value, so each character here is one byte of UTF-8, as upstream sends. */
function warningHeader(characters: readonly string[]): string {
  const quoted = characters.join('').replace(/["\\]/g, '\\$&');
  return `299 - "${Buffer.from(quoted).toString('latin1')}"`;
}
