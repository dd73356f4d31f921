/** An invalid selector. The message is upstream's; the HTTP edge answers it with 400. */
export class LabelSelectorError extends Error {
  override readonly name = 'LabelSelectorError';
}
