import { getOwn, isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { UnexpectedResponseError } from '../rest/index.js';
import type { ObjectList } from '../typed/index.js';

/** The fields that this package reads of any object. */
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

/** Reads a list and gives each item its kind, which servers omit for built-in kinds. Throws an {@link UnexpectedResponseError}. */
export function readList<T>(answer: JsonObject): ObjectList<T> {
  const items = getOwn(answer, 'items') ?? [];
  const kind = getOwn(answer, 'kind');
  if (!Array.isArray(items) || typeof kind !== 'string' || !kind.endsWith('List')) {
    throw new UnexpectedResponseError(
      `expected a list, the server answered ${typeof kind === 'string' ? kind : 'an object without a kind'}`,
    );
  }
  const metadata = getOwn(answer, 'metadata');
  const version = getOwn(answer, 'apiVersion');
  const apiVersion = typeof version === 'string' ? version : '';
  const kindOfItems = { apiVersion, kind: kind.slice(0, -'List'.length) };
  return {
    apiVersion,
    kind,
    metadata: isObject(metadata) ? metadata : {},
    items: items.map((item) => withKind(item, kindOfItems)) as T[],
  };
}

function withKind(item: unknown, kind: JsonObject): unknown {
  return isObject(item) && getOwn(item, 'kind') === undefined ? { ...kind, ...item } : item;
}
