import { schemaOf } from '@binnacle/api/table';
import type { Toleration } from '@binnacle/api/types/core-v1';
import { JsonNumberRangeError, JsonSyntaxError, parseJson } from '@binnacle/apimachinery/json';
import { DecodeError, decodeTyped } from '@binnacle/apimachinery/serializer';

/** Text that holds no list of tolerations. The message is that of Go's decoder. */
export class InvalidTolerations extends Error {
  override readonly name = 'InvalidTolerations';
}

/** Parses a JSON list of tolerations. Throws {@link InvalidTolerations}. */
export function parseTolerations(text: string): readonly Toleration[] {
  try {
    const { value } = parseJson(text);
    if (value === null) return [];
    if (!Array.isArray(value))
      throw new InvalidTolerations('json: cannot unmarshal into Go value of type []v1.Toleration');
    const schema = schemaOf('io.k8s.api.core.v1.Toleration');
    return value.map((each) => decodeTyped(each, schema).object as Toleration);
  } catch (error) {
    const isWrongText = error instanceof JsonSyntaxError || error instanceof JsonNumberRangeError;
    if (isWrongText || error instanceof DecodeError) throw new InvalidTolerations(error.message, { cause: error });
    throw error;
  }
}
