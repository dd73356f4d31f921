import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { parseYaml, YamlError } from '@binnacle/apimachinery/yaml';
import { DefinitionError } from './definition-error.js';

const separator = /^---(?=\s|$).*$/m;

/** Parses a stream of YAML or JSON objects. Throws a {@link DefinitionError} that begins with `name`. */
export function parseDocuments(name: string, text: string): readonly JsonObject[] {
  return text.split(separator).flatMap((document, index) => {
    const value = parse(document, `${name}: document ${index + 1}`);
    if (value === null) return [];
    if (!isObject(value)) throw new DefinitionError(`${name}: document ${index + 1} is not an object`);
    return [value];
  });
}

function parse(document: string, where: string) {
  try {
    return parseYaml(document).value;
  } catch (error) {
    if (error instanceof YamlError) throw new DefinitionError(`${where}: ${error.message}`, { cause: error });
    throw error;
  }
}
