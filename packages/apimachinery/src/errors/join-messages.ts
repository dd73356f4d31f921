/** Joins messages into one text, as Go prints an aggregate of errors: each once, and several in brackets. Upstream: `util/errors.NewAggregate`. */
export function joinMessages(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
