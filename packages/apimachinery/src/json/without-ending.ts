/**
 * The text without the copies of a character at its end. Takes linear time. An expression such as `/ +$/` takes time
 * quadratic in the length of a run inside the text, which may be a client's.
 */
export function withoutEnding(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
