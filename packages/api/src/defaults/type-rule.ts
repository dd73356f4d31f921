import type { JsonObject } from '@binnacle/apimachinery/json';

export interface DefaultContext {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Sets in place what is absent from one value of one type. Sees the value after decoding, so its members have the type's shape. */
export type TypeRule = (value: JsonObject, context: DefaultContext) => void;

/** A rule of one type: its definition name and what it does. */
export type TypeRuleEntry = readonly [definition: string, rule: TypeRule];

/**
 * A rule for the type `definition`, written against its interface. The one place where decoded JSON is taken for its type: the
 * decoder has checked it field by field.
 */
export function typeRule(definition: string, rule: (value: never, context: DefaultContext) => void): TypeRuleEntry {
  return [definition, rule as unknown as TypeRule];
}
