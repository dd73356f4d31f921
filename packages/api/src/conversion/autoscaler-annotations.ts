import {
  isObject,
  JsonNumberRangeError,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
} from '@binnacle/apimachinery/json';
import { canonicalizeQuantity, QuantityError } from '@binnacle/apimachinery/quantity';
import type { HorizontalPodAutoscaler } from '../generated/types/autoscaling-v2.js';

/** The annotations that hold the fields v1 lacks. Upstream: `autoscaling/annotations.go`. */
export const annotationNames = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
} as const;

const reserved: ReadonlySet<string> = new Set(Object.values(annotationNames));

type Metadata = NonNullable<HorizontalPodAutoscaler['metadata']>;

/** Returns the metadata without these annotations, plus `added` ones. Returns `metadata` itself if nothing changes. */
export function withAnnotations(
  metadata: Metadata | undefined,
  added: ReadonlyMap<string, string>,
): Metadata | undefined {
  const present = Object.entries(metadata?.annotations ?? {});
  if (added.size === 0 && !present.some(([name]) => reserved.has(name))) return metadata;
  const kept = [...present.filter(([name]) => !reserved.has(name)), ...added];
  const { annotations: _annotations, ...rest } = metadata ?? {};
  return kept.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(kept) };
}

/** Decodes an annotation with `read`; undefined if it is absent or malformed. `read` throws {@link Unreadable}. */
export function readAnnotation<T>(
  metadata: Metadata | undefined,
  name: string,
  read: (value: JsonValue) => T,
): T | undefined {
  const text = metadata?.annotations?.[name];
  if (text === undefined) return undefined;
  try {
    return read(parseJson(text).value);
  } catch (error) {
    if (unreadable.some((type) => error instanceof type)) return undefined;
    throw error;
  }
}

/** The value does not have the annotation's shape. */
class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

const unreadable = [Unreadable, JsonSyntaxError, JsonNumberRangeError, QuantityError];

/** Reads one object in an annotation. Member names match without regard to case, as in Go; null counts as absent. */
export class AnnotationReader {
  readonly #members: ReadonlyMap<string, JsonValue>;

  constructor(value: JsonValue) {
    if (!isObject(value)) throw new Unreadable();
    const members = new Map<string, JsonValue>();
    for (const [name, member] of Object.entries(value)) {
      if (member !== undefined && member !== null) members.set(name.toLowerCase(), member);
    }
    this.#members = members;
  }

  text(name: string): string | undefined {
    const value = this.#get(name);
    if (value !== undefined && typeof value !== 'string') throw new Unreadable();
    return value;
  }

  /** A 32-bit integer. */
  integer(name: string): number | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || (value | 0) !== value) throw new Unreadable();
    return value;
  }

  /** A quantity in canonical form. JSON may hold it as a string or a number. */
  quantity(name: string): string | undefined {
    const value = this.#get(name);
    const text = typeof value === 'number' ? String(value) : this.text(name);
    return text === undefined ? undefined : canonicalizeQuantity(text);
  }

  object(name: string): AnnotationReader | undefined {
    const value = this.#get(name);
    return value === undefined ? undefined : new AnnotationReader(value);
  }

  list<T>(name: string, read: (item: AnnotationReader) => T): T[] | undefined {
    const value = this.#get(name);
    return value === undefined ? undefined : readList(value, read);
  }

  texts(name: string): string[] | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw new Unreadable();
    return value.map((item) => {
      if (typeof item !== 'string') throw new Unreadable();
      return item;
    });
  }

  textMap(name: string): { [key: string]: string } | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (!isObject(value)) throw new Unreadable();
    return Object.fromEntries(
      Object.entries(value).map(([key, text]) => {
        if (typeof text !== 'string') throw new Unreadable();
        return [key, text];
      }),
    );
  }

  #get(name: string): JsonValue | undefined {
    return this.#members.get(name.toLowerCase());
  }
}

export function readList<T>(value: JsonValue, read: (item: AnnotationReader) => T): T[] {
  if (!Array.isArray(value)) throw new Unreadable();
  return value.map((item) => read(new AnnotationReader(item)));
}
