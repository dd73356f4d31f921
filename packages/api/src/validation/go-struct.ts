import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';

/**
 * How Go prints a struct that has no JSON names of its own, as upstream's internal types: every field in its order, by its
 * Go name. `[JSON name, what is shown where it is absent, the struct inside]`; lists show each item by the struct inside.
 */
export interface GoStruct {
  readonly [goName: string]: readonly [json: string, absent: JsonValue, inside?: GoStruct];
}

/** A value of a wire type as a message shows it that upstream fills from an internal type. */
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
