/** A selector that cannot be read. The message is upstream's; the HTTP edge answers it as a bad request. */
export class LabelSelectorError extends Error {
  override readonly name = 'LabelSelectorError';
}
