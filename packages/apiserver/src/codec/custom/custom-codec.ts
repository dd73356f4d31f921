import { schemaOf } from '@binnacle/api/table';
import {
  deepCopyInSteps,
  formatPath,
  isObject,
  type JsonDetails,
  type JsonObject,
  type JsonValue,
  StrictErrors,
  TextLimit,
} from '@binnacle/apimachinery/json';
import {
  asJson,
  asObject,
  formatGroupVersion,
  type GroupVersionKind,
  type KubernetesObject,
} from '@binnacle/apimachinery/meta';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import {
  DecodeError,
  encodeUntyped,
  encodeUntypedInSteps,
  untypedDocumentInSteps,
} from '@binnacle/apimachinery/serializer';
import { fieldErrorDetail, quoteGo, StatusError } from '@binnacle/apimachinery/status';
import {
  applySchemaDefaults,
  coerceEmbeddedResources,
  pruneNulls,
  pruneUnknownFields,
  readMetadata,
  type SchemaNode,
  structSchemaOf,
} from '@binnacle/apimachinery/structural';
import { finish, type Steps, type WorkBudget } from '@binnacle/apimachinery/work';
import type { Decoded, KindCodec } from '../kind-codec.js';

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

export interface CustomCodecOptions {
  readonly groupVersionKind: GroupVersionKind;
  readonly schema: SchemaNode;
  /** The name of the type: `com.example.stable.v1.CronTab`. */
  readonly definition: string;
  /** Whether unknown fields are kept, for definitions from before schemas were required. */
  readonly preserveUnknownFields: boolean;
}

interface ReadOptions {
  /** Drop unreadable metadata instead of failing. */
  readonly dropInvalid?: boolean;
  /** Keep null where the schema does not allow it. */
  readonly keepNulls?: boolean;
}

/**
 * A custom kind in one version. It prunes fields that the schema does not know, and types metadata. Upstream:
 * apiextensions `unstructuredSchemaCoercer`.
 */
export class CustomCodec implements KindCodec {
  readonly untyped = true;
  readonly groupVersionKind: GroupVersionKind;
  readonly apiVersion: string;
  readonly structural: SchemaNode;
  readonly #options: CustomCodecOptions;
  readonly #objectMeta = schemaOf(OBJECT_META);
  #schema: StructSchema | undefined;

  constructor(options: CustomCodecOptions) {
    this.#options = options;
    this.groupVersionKind = options.groupVersionKind;
    this.apiVersion = formatGroupVersion(options.groupVersionKind);
    this.structural = options.schema;
  }

  get schema(): StructSchema {
    this.#schema ??= structSchemaOf(this.structural, {
      name: this.#options.definition,
      kind: this.groupVersionKind.kind,
      objectMeta: this.#objectMeta,
    });
    return this.#schema;
  }

  /** Everything that an object's bytes depend on. */
  get form(): unknown {
    const { schema, preserveUnknownFields } = this.#options;
    return { apiVersion: this.apiVersion, schema, preserveUnknownFields };
  }

  decode(value: JsonValue, details?: JsonDetails): Decoded {
    return finish(this.decodeInSteps(value, details));
  }

  *decodeInSteps(value: JsonValue, details?: JsonDetails): Steps<Decoded> {
    if (details?.rangeError !== undefined) throw new DecodeError(details.rangeError.message);
    const duplicates = details === undefined ? [] : duplicateFields(value, details);
    const { object, unknown } = yield* this.#read(value, {});
    yield;
    return { object, strictErrors: [...duplicates, ...unknown.map((path) => `unknown field "${path}"`)] };
  }

  decodeApplied(value: JsonValue): KubernetesObject {
    return finish(this.#read(value, { dropInvalid: true, keepNulls: true })).object;
  }

  decodeStored(value: JsonValue): KubernetesObject {
    return finish(this.#read(value, { dropInvalid: true })).object;
  }

  applyDefaults(object: KubernetesObject, budget?: WorkBudget): void {
    if (!this.isOfKind(object)) return;
    try {
      applySchemaDefaults(asJson(object), this.structural, budget);
    } catch (error) {
      // Larger defaults in a changed definition must not make stored objects unreadable.
      if (budget !== undefined || !(error instanceof StatusError)) throw error;
    }
  }

  encode(object: Readonly<KubernetesObject>): Uint8Array {
    return encodeUntyped(asJson(object));
  }

  encodeInSteps(object: Readonly<KubernetesObject>): Steps<Uint8Array> {
    return encodeUntypedInSteps(asJson(object));
  }

  documentInSteps(object: Readonly<KubernetesObject>): Steps<JsonObject> {
    return untypedDocumentInSteps(asJson(object));
  }

  /** Whether the object names this kind and version, which nothing has checked yet. */
  isOfKind(object: Readonly<KubernetesObject>): boolean {
    return object.kind === this.groupVersionKind.kind && object.apiVersion === this.apiVersion;
  }

  /** Prunes unknown fields in place, and returns them. */
  prune(object: JsonObject): string[] {
    return finish(this.#prune(object, false));
  }

  *#prune(object: JsonObject, keepNulls: boolean): Steps<string[]> {
    if (this.#options.preserveUnknownFields) return [];
    const unknown = pruneUnknownFields(object, this.structural, true);
    yield;
    if (!keepNulls) pruneNulls(object, this.structural);
    return unknown;
  }

  *#read(
    value: JsonValue,
    { dropInvalid = false, keepNulls = false }: ReadOptions,
  ): Steps<{ object: KubernetesObject; unknown: string[] }> {
    const document = isObject(value) ? yield* deepCopyInSteps(value) : {};
    yield;
    const metadata = readMetadata(document.metadata ?? {}, this.#objectMeta, dropInvalid);
    if (metadata.metadata === undefined && !dropInvalid) throw new DecodeError(metadata.problem);
    const object = asObject(document);
    const unknown = metadata.metadata === undefined ? [] : metadata.unknown.map((path) => `metadata.${path}`);
    if (this.isOfKind(object)) {
      const pruned = yield* this.#prune(document, keepNulls);
      yield;
      for (const path of [pruned, this.#coerce(document, dropInvalid)].flat()) unknown.push(path);
    }
    document.metadata = metadata.metadata ?? {};
    return { object, unknown };
  }

  #coerce(document: JsonObject, dropInvalid: boolean): string[] {
    const unknown: string[] = [];
    const limit = new TextLimit();
    const error = coerceEmbeddedResources(document, this.structural, {
      objectMeta: this.#objectMeta,
      dropInvalid,
      unknown: (path) => {
        if (limit.admits(path)) unknown.push(path);
      },
    });
    if (error !== undefined) throw new DecodeError(`${error.field}: ${fieldErrorDetail(error)}`);
    return unknown.sort();
  }
}

/** Every duplicate field, at any depth. */
function duplicateFields(value: JsonValue, { duplicateKeys }: JsonDetails): string[] {
  const found = new StrictErrors();
  const path: (string | number)[] = [];
  const walk = (part: JsonValue): void => {
    if (part === null || typeof part !== 'object') return;
    const twice = isObject(part) ? duplicateKeys.get(part) : undefined;
    for (const [key, below] of Object.entries(part)) {
      if (below === undefined || found.isFull) return;
      path.push(Array.isArray(part) ? Number(key) : key);
      if (twice?.has(key) === true) found.add(`duplicate field ${quoteGo(formatPath(path))}`);
      walk(below);
      path.pop();
    }
  };
  if (duplicateKeys.size > 0) walk(value);
  return found.texts;
}
