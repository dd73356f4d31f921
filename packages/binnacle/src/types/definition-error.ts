/** What keeps types from being made of a definition, in a sentence that names it. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
}
