import { formatPath, type JsonDetails, type JsonObject, type JsonValue } from '../json/index.js';
import { quoteGo } from '../status/index.js';
import type { StructSchema } from '../schema/index.js';
import { DecodeError } from './decode-error.js';

/** Upstream stops counting strictness violations here. */
const MAX_STRICT_ERRORS = 100;

const noEarlier: readonly JsonObject[] = [];

/** Where one decode stands, and what it has found wrong so far. */
export class DecodeContext {
  /** Struct fields, map keys and list indexes from the root: how strict errors name a place. */
  readonly path: (string | number)[] = [];
  /** Struct fields alone: how type errors name a place. */
  readonly fields: string[] = [];
  /** The struct that the innermost field belongs to. */
  struct: StructSchema | undefined = undefined;
  readonly #details: JsonDetails | undefined;
  readonly #strictErrors = new Set<string>();
  #typeError: DecodeError | undefined = undefined;

  constructor(details: JsonDetails | undefined) {
    this.#details = details;
  }

  /** For a value whose type decodes itself: it has strict errors of its own, which no one sees. */
  within(): DecodeContext {
    const context = new DecodeContext(this.#details);
    context.fields.push(...this.fields);
    context.struct = this.struct;
    return context;
  }

  get strictErrors(): string[] {
    return [...this.#strictErrors];
  }

  unknownField(name: string): void {
    this.#strictError('unknown field', name);
  }

  /** The values that `key` of `holder` had before its last one, each under the key in a holder of its own. */
  earlierValues(holder: JsonObject, key: string): readonly JsonObject[] {
    return this.#details?.duplicateKeys.get(holder)?.get(key) ?? noEarlier;
  }

  /** Refuses a value that is kept as it is when a number in it is not what the document says. */
  checkNumbers(value: JsonValue): void {
    const error = this.#details?.rangeError;
    if (error !== undefined && hasInfinity(value)) throw new DecodeError(error.message, { cause: error });
  }

  duplicateField(name: string): void {
    this.#strictError('duplicate field', name);
  }

  /** The text of a number that stands in `holder`, as the document had it. */
  numberText(value: number | bigint, holder: JsonObject | JsonValue[] | undefined, key: string | number): string {
    return (holder === undefined ? undefined : this.#details?.numberTexts.get(holder)?.get(key)) ?? String(value);
  }

  /** A value that does not fit: the first is thrown by {@link finish}, after the rest of the document has been read. */
  typeError(what: string, goType: string): undefined {
    this.#typeError ??= new DecodeError(this.#typeErrorMessage(what, goType));
    return undefined;
  }

  /** A value that a type's own decoder refuses ends the decode at once. */
  fatalTypeError(what: string, goType: string): never {
    throw new DecodeError(this.#typeErrorMessage(what, goType));
  }

  /** Like {@link typeError}, with a message of its own. */
  error(message: string): undefined {
    this.#typeError ??= new DecodeError(message);
    return undefined;
  }

  finish(): void {
    if (this.#typeError !== undefined) throw this.#typeError;
  }

  #typeErrorMessage(what: string, goType: string): string {
    const name = this.struct?.goName ?? '';
    const place = this.fields.length === 0 ? 'Go value' : `Go struct field ${name}.${this.fields.join('.')}`;
    return `json: cannot unmarshal ${what} into ${place} of type ${goType}`;
  }

  #strictError(what: string, name: string): void {
    if (this.#strictErrors.size >= MAX_STRICT_ERRORS) return;
    this.#strictErrors.add(`${what} ${quoteGo(formatPath([...this.path, name]))}`);
  }
}

function hasInfinity(value: JsonValue): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some((part) => hasInfinity(part ?? null));
}

/** What Go's errors call a JSON value. */
export function describeValue(value: JsonValue): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return 'number';
    default:
      return value === null ? 'null' : Array.isArray(value) ? 'array' : 'object';
  }
}
