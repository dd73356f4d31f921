/** A document that upstream does not accept as YAML, with upstream's message. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}

/** An error of the scanner at a line, which counts from zero. Upstream does not name the first line. */
export function scanError(line: number, problem: string): YamlError {
  return new YamlError(`yaml: ${line > 0 ? `line ${line + 1}: ` : ''}${problem}`);
}

/** An error of the parser at a line. Upstream names the line before it. */
export function parseError(line: number, problem: string): YamlError {
  return new YamlError(`yaml: ${line > 0 ? `line ${line}: ` : ''}${problem}`);
}
