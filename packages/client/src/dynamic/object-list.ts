import { getOwn, isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { UnexpectedAnswerError } from '../rest/index.js';

/** What this package reads of an object, whatever else it has. */
export interface AnyObject {
  readonly metadata?:
    | {
        readonly name?: string | undefined;
        readonly namespace?: string | undefined;
        readonly uid?: string | undefined;
        readonly resourceVersion?: string | undefined;
        readonly labels?: { readonly [key: string]: string } | undefined;
      }
    | undefined;
}

/** Upstream: `metav1.ListMeta`. */
export interface ListMeta {
  /** The version that this is the state of: watch from here. */
  readonly resourceVersion?: string;
  /** Where the next page begins; absent when this is the last. */
  readonly continue?: string;
  /** How many follow, where the server knows. */
  readonly remainingItemCount?: number;
}

export interface ObjectList<T> {
  readonly metadata: ListMeta;
  readonly items: readonly T[];
}

/** Items of built-in kinds come without their kind: the list's says it. Throws an {@link UnexpectedAnswerError}. */
export function readList<T>(answer: JsonObject): ObjectList<T> {
  const items = getOwn(answer, 'items') ?? [];
  const kind = getOwn(answer, 'kind');
  if (!Array.isArray(items) || typeof kind !== 'string' || !kind.endsWith('List')) {
    throw new UnexpectedAnswerError(`a list was wanted, and the answer is ${typeof kind === 'string' ? kind : 'none'}`);
  }
  const metadata = getOwn(answer, 'metadata');
  const kindOfItems = { apiVersion: getOwn(answer, 'apiVersion'), kind: kind.slice(0, -'List'.length) };
  return {
    metadata: isObject(metadata) ? metadata : {},
    items: items.map((item) => withKind(item, kindOfItems)) as T[],
  };
}

function withKind(item: unknown, kind: JsonObject): unknown {
  return isObject(item) && getOwn(item, 'kind') === undefined ? { ...kind, ...item } : item;
}
