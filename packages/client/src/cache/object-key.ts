import type { AnyObject } from '../dynamic/index.js';

/** `namespace/name`, or `name` for objects without a namespace. */
export function objectKey({ metadata }: AnyObject): string {
  const { name = '', namespace = '' } = metadata ?? {};
  return namespace === '' ? name : `${namespace}/${name}`;
}

export function splitObjectKey(key: string): { namespace: string | undefined; name: string } {
  const slash = key.indexOf('/');
  return slash < 0
    ? { namespace: undefined, name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
