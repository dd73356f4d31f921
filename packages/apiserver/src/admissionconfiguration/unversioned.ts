import { ConfigurationError } from '@binnacle/apimachinery/configuration';
import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import { DecodeError, decodeTyped } from '@binnacle/apimachinery/serializer';
import { parseYaml, YamlError } from '@binnacle/apimachinery/yaml';

/** Decodes a file without a kind, YAML or JSON. Upstream ignores unknown fields; here they are errors. */
export function readUnversioned(source: string, schema: StructSchema): JsonObject {
  try {
    const { value, strictErrors } = parseYaml(source);
    if (!isObject(value)) throw new ConfigurationError('the configuration is not an object');
    const { kind: _, apiVersion: __, ...fields } = value;
    const decoded = decodeTyped(fields, schema);
    const problems = [...strictErrors, ...decoded.strictErrors];
    if (problems.length > 0) throw new ConfigurationError(`strict decoding error: ${problems.join(', ')}`);
    return decoded.object;
  } catch (error) {
    if (error instanceof YamlError || error instanceof DecodeError) {
      throw new ConfigurationError(error.message, { cause: error });
    }
    throw error;
  }
}
