/** The reason why no types can be generated, in a sentence that names the definition. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
}
