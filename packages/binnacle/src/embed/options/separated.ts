/** The values of an option that may be repeated, each with several values separated by commas. An empty text has none. */
export function separated(texts: readonly string[] = []): readonly string[] {
  return texts.filter((text) => text !== '').flatMap((text) => text.split(',').map((part) => part.trim()));
}
