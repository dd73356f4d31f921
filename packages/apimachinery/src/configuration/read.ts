import { isObject, type JsonObject } from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { DecodeError, decodeTyped } from '../serializer/index.js';
import { quoteGo } from '../status/index.js';
import { parseYaml, YamlError } from '../yaml/index.js';

/** A configuration that cannot be read. The message says why, and names no file. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** The kinds that a file may have, by `apiVersion/kind`, such as `audit.k8s.io/v1/Policy`. */
export type ConfigurationKinds = ReadonlyMap<string, StructSchema>;

/**
 * Decodes the text of a configuration file, YAML or JSON, as one of the kinds. The result has its kind and apiVersion, and
 * no field that the kind does not have. Throws a {@link ConfigurationError}.
 */
export function readConfiguration(source: string, kinds: ConfigurationKinds): JsonObject {
  const { object, problems } = readLenientConfiguration(source, kinds);
  if (problems.length > 0) throw new ConfigurationError(strictError(problems));
  return object;
}

/**
 * {@link readConfiguration} that leaves out unknown fields, and takes the last value of a field that is given twice. `problems` names
 * these fields.
 */
export function readLenientConfiguration(
  source: string,
  kinds: ConfigurationKinds,
): { readonly object: JsonObject; readonly problems: readonly string[] } {
  const { value, strictErrors } = parsed(source);
  const schema = schemaOf(value, kinds);
  const decoded = decoding(() => decodeTyped(value, schema));
  return { object: decoded.object, problems: [...strictErrors, ...decoded.strictErrors] };
}

/** Upstream's words for fields that are unknown, or given twice. */
export const strictError = (problems: readonly string[]): string => `strict decoding error: ${problems.join(', ')}`;

function parsed(source: string): { readonly value: JsonObject; readonly strictErrors: readonly string[] } {
  try {
    const { value, strictErrors } = parseYaml(source);
    if (isObject(value)) return { value, strictErrors };
  } catch (error) {
    if (error instanceof YamlError) throw new ConfigurationError(`error converting YAML to JSON: ${error.message}`);
    throw error;
  }
  throw new ConfigurationError("couldn't get version/kind; the file holds no object");
}

function schemaOf({ apiVersion, kind }: JsonObject, kinds: ConfigurationKinds): StructSchema {
  if (typeof kind !== 'string' || kind === '') throw new ConfigurationError("Object 'Kind' is missing");
  if (typeof apiVersion !== 'string' || apiVersion === '')
    throw new ConfigurationError("Object 'apiVersion' is missing");
  const schema = kinds.get(`${apiVersion}/${kind}`);
  if (schema === undefined) {
    const known = [...kinds.keys()].map((each) => each.replace(/\/([^/]*)$/, ' $1')).join(', ');
    throw new ConfigurationError(
      `no kind ${quoteGo(kind)} is registered for version ${quoteGo(apiVersion)}: give ${known}`,
    );
  }
  return schema;
}

function decoding<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof DecodeError) throw new ConfigurationError(error.message);
    throw error;
  }
}
