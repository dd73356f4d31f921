import { notAcceptableShape, type StatusError } from '@binnacle/apimachinery/status';
import type { KindCodec } from '../codec/index.js';

type Kind = Pick<KindCodec, 'groupVersionKind' | 'untyped'>;

/** The client asks for a PartialObjectMetadataList, and the answer is one object. */
export function notAList(codec: Kind): StatusError {
  return notAcceptableShape(codec.untyped === true ? 'unstructured.Unstructured' : typeOf(codec), false);
}

/** The client asks for PartialObjectMetadata, and the answer is a list. */
export function notOneObject(codec: Kind): StatusError {
  return notAcceptableShape(codec.untyped === true ? 'unstructured.UnstructuredList' : `${typeOf(codec)}List`, true);
}

/** The Go type in upstream's message; its package is named after the first word of the group. */
function typeOf({ groupVersionKind: { group, kind } }: Kind): string {
  const [name = ''] = group.split('.');
  return `${name === '' || name === 'events' ? 'core' : name}.${kind}`;
}
