import { formatPath, type JsonDetails, type JsonObject, type JsonValue, StrictErrors } from '../json/index.js';
import { quoteGo } from '../status/index.js';
import type { StructSchema } from '../schema/index.js';

/** A document that does not match its type. The message is that of Go's decoder. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

/** About half a millisecond of work. */
const ITEMS_PER_STEP = 1000;

const noEarlier: readonly JsonObject[] = [];

/** The position of a decode, and the errors found so far. */
export class DecodeContext {
  /** Struct fields, map keys and list indexes from the root. Strict errors name this path. */
  readonly path: (string | number)[] = [];
  /** Struct fields only, from the root of this context. Type errors name them below those of the outer contexts. */
  readonly fields: string[] = [];
  /** The struct of the innermost field. */
  struct: StructSchema | undefined = undefined;
  /** The number of keys, in the document, of the map that was decoded last. */
  mapKeys = 0;
  readonly #details: JsonDetails | undefined;
  readonly #outer: DecodeContext | undefined;
  readonly #strictErrors = new StrictErrors();
  #typeError: DecodeError | undefined = undefined;
  /** See {@link JsonDetails.isUnstructured}. False within a type that decodes itself: upstream writes its value as JSON. */
  readonly isUnstructured: boolean;
  /** Whether a time beyond the years of RFC 3339 becomes the nearest one within them. */
  readonly clampsTimes: boolean;
  /** Shared with the outer contexts. */
  readonly #progress: { items: number };

  constructor(details: JsonDetails | undefined, clampsTimes = false, outer?: DecodeContext) {
    this.#details = details;
    this.clampsTimes = clampsTimes;
    this.#outer = outer;
    this.isUnstructured = outer === undefined && details?.isUnstructured === true;
    this.#progress = outer === undefined ? { items: 0 } : outer.#progress;
  }

  /** A context for a type that decodes itself. Its strict errors are not reported. */
  within(): DecodeContext {
    const context = new DecodeContext(this.#details, this.clampsTimes, this);
    context.struct = this.struct;
    return context;
  }

  get strictErrors(): string[] {
    return this.#strictErrors.texts;
  }

  /** Counts an item of a list or map, together with those of the outer contexts. Returns whether a decode in steps should yield after it. */
  endsStep(): boolean {
    return ++this.#progress.items % ITEMS_PER_STEP === 0;
  }

  unknownField(name: string): void {
    this.#strictError('unknown field', name);
  }

  /** The values of a duplicate `key` in `holder` except its last one. Each is the only member of an object. */
  earlierValues(holder: JsonObject, key: string): readonly JsonObject[] {
    return this.#details?.duplicateKeys.get(holder)?.get(key) ?? noEarlier;
  }

  /** Rejects a value that is kept undecoded if a number in it differs from the document's. */
  checkNumbers(value: JsonValue): void {
    const error = this.#details?.rangeError;
    if (error !== undefined && hasInfinity(value)) throw new DecodeError(error.message, { cause: error });
  }

  duplicateField(name: string): void {
    this.#strictError('duplicate field', name);
  }

  /** The text in the document of a number in `holder`. */
  numberText(value: number | bigint, holder: JsonObject | JsonValue[] | undefined, key: string | number): string {
    return (holder === undefined ? undefined : this.#details?.numberTexts.get(holder)?.get(key)) ?? String(value);
  }

  /**
   * Records a value of the wrong type. {@link finish} throws the first one, after the rest of the document has been
   * read.
   */
  typeError(what: string, goType: string): undefined {
    this.#typeError ??= new DecodeError(this.#typeErrorMessage(what, goType));
    return undefined;
  }

  /** Throws at once, for a value that a type's own decoder rejects. */
  fatalTypeError(what: string, goType: string): never {
    throw new DecodeError(this.#typeErrorMessage(what, goType));
  }

  /** Like {@link typeError}, with another message. */
  error(message: string): undefined {
    this.#typeError ??= new DecodeError(message);
    return undefined;
  }

  finish(): void {
    if (this.#typeError !== undefined) throw this.#typeError;
  }

  #typeErrorMessage(what: string, goType: string): string {
    const name = this.struct?.goName ?? '';
    const fields = this.#allFields();
    const place = fields.length === 0 ? 'Go value' : `Go struct field ${name}.${fields.join('.')}`;
    return `json: cannot unmarshal ${what} into ${place} of type ${goType}`;
  }

  #allFields(): string[] {
    if (this.isUnstructured) return [];
    const fields = this.#outer === undefined ? [] : this.#outer.#allFields();
    for (const field of this.fields) fields.push(field);
    return fields;
  }

  #strictError(what: string, name: string): void {
    if (this.#strictErrors.isFull) return;
    this.#strictErrors.add(`${what} ${quoteGo(formatPath([...this.path, name]))}`);
  }
}

function hasInfinity(value: JsonValue): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some((part) => hasInfinity(part ?? null));
}

/** The name of a JSON value in Go's errors. */
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
