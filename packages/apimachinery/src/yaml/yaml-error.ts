/** A document that upstream does not accept as YAML. Uses upstream's message where it has one. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}
