/** A document that is not YAML as upstream reads it. Messages are upstream's where it has one for the case. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}
