import type { JsonNumberRangeError } from './syntax-error.js';
import type { JsonObject, JsonValue } from './value.js';

/** The text of each number, by its key or index, in each container. */
export type NumberTexts = ReadonlyMap<JsonObject | JsonValue[], ReadonlyMap<string | number, string>>;

/** The texts of the numbers in one container, by key or index. */
export interface ContainerTexts {
  readonly size: number;
  get(key: string | number): string | undefined;
}

/** Facts about a document that its tree of values cannot hold. Keyed by the containers of the tree. */
export interface JsonDetails {
  /**
   * Keys that occur more than once in an object, each with its earlier values. Each earlier value is in an object of
   * its own, under the key, because Go decodes one after the other into the same field.
   */
  readonly duplicateKeys: ReadonlyMap<JsonObject, ReadonlyMap<string, readonly JsonObject[]>>;
  /**
   * The text of numbers that are not plain 64-bit integers (`1.0`, `1e3`, `9223372036854775808`), by key or index. For
   * typed decoding: Go rejects `1.0` for an integer, and a quantity keeps its exponent.
   */
  readonly numberTexts: { get(container: JsonObject | JsonValue[]): ContainerTexts | undefined };
  /** The first number beyond all doubles. It is infinite in the tree, and must not be stored. */
  readonly rangeError?: JsonNumberRangeError | undefined;
  /** Set for a tree that upstream converts to a type in memory: numbers are converted, not read from a text. */
  readonly isUnstructured?: true;
}

/**
 * The details of the result of a strategic merge or a server-side apply. Upstream: apimachinery
 * `runtime.DefaultUnstructuredConverter`.
 */
export const unstructuredDetails: JsonDetails = {
  duplicateKeys: new Map(),
  numberTexts: new Map(),
  isUnstructured: true,
};
