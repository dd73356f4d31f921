import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';

/**
 * How Go prints a struct without JSON names, such as upstream's internal types: every field in order, by its Go name.
 * Each entry is `[JSON name, zero value, nested struct]`; lists print each item by the nested struct.
 */
export interface GoStruct {
  readonly [goName: string]: readonly [json: string, absent: JsonValue, inside?: GoStruct];
}

/** Shows a wire value as upstream's message shows the internal type. */
export function shownStruct(value: object | JsonValue | undefined, struct: GoStruct): JsonObject {
  const given = value as JsonValue | undefined;
  const fields = isObject(given) ? given : {};
  return Object.fromEntries(
    Object.entries(struct).map(([goName, [json, absent, inside]]) => [
      goName,
      shownField(fields[json] ?? absent, inside),
    ]),
  );
}

function shownField(value: JsonValue, inside: GoStruct | undefined): JsonValue {
  if (inside === undefined || value === null) return value;
  return Array.isArray(value) ? value.map((item) => shownStruct(item, inside)) : shownStruct(value, inside);
}
