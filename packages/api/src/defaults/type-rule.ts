import type { JsonObject } from '@binnacle/apimachinery/json';
import type { Steps } from '@binnacle/apimachinery/work';

export interface DefaultContext {
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * Sets absent fields of one value of one type, in place. The value has been decoded, so its members have the type's
 * shape. A rule for maps that may be long works in steps.
 */
export type TypeRule = (value: JsonObject, context: DefaultContext) => Steps<void> | void;

/** A type's definition name and its rule. */
export type TypeRuleEntry = readonly [definition: string, rule: TypeRule];

/**
 * Makes a rule for the type `definition`, written against its interface. This is the only cast from decoded JSON to an
 * interface in this room; the decoder has checked every field.
 */
export function typeRule(
  definition: string,
  rule: (value: never, context: DefaultContext) => Steps<void> | void,
): TypeRuleEntry {
  return [definition, rule as unknown as TypeRule];
}
