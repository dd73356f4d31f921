import { notAcceptableShape, type StatusError } from '@binnacle/apimachinery/status';
import type { KindCodec } from '../codec/index.js';

type Kind = Pick<KindCodec, 'groupVersionKind' | 'untyped'>;

/** Metadata of a list were asked for, and there is one object. */
export function notAList(codec: Kind): StatusError {
  return notAcceptableShape(codec.untyped === true ? 'unstructured.Unstructured' : typeOf(codec), false);
}

/** Metadata of one object were asked for, and there is a list. */
export function notOneObject(codec: Kind): StatusError {
  return notAcceptableShape(codec.untyped === true ? 'unstructured.UnstructuredList' : `${typeOf(codec)}List`, true);
}

/** The Go type that upstream names: its package is called as the first word of the group. */
function typeOf({ groupVersionKind: { group, kind } }: Kind): string {
  const [name = ''] = group.split('.');
  return `${name === '' || name === 'events' ? 'core' : name}.${kind}`;
}
