/** Joins several errors into one text, each once, as upstream's aggregate prints them. */
export function joinErrors(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
