const TOTAL_CHARACTERS = 4 * 1024;
const ITEM_CHARACTERS = 256;
/** UTF-16 units of more than {@link TOTAL_CHARACTERS}: the rest of a text changes no header. */
const ENOUGH_UNITS = 2 * (TOTAL_CHARACTERS + 1);

/**
 * `Warning` header values for the given texts, in order. When together they are too long, each is cut short, and what
 * still does not fit is left out. Texts with control characters cannot be sent and are left out too.
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

/** Header values travel as bytes, one a character: UTF-8 is spelled out here, as upstream sends it. */
function warningHeader(characters: readonly string[]): string {
  const quoted = characters.join('').replace(/["\\]/g, '\\$&');
  return `299 - "${Buffer.from(quoted).toString('latin1')}"`;
}
