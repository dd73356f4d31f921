import { emptyFieldSet } from '@binnacle/apimachinery/managedfields';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { badRequest } from '@binnacle/apimachinery/status';
import type { KindCodec } from '../codec/index.js';
import {
  type KindLookup,
  negotiateRepresentation,
  readObject,
  recordManager,
  wipeSystemMetadata,
} from '../endpoints/index.js';
import type { RequestContext } from '../http/index.js';
import { parseCreateOptions } from '../request/index.js';
import { respondOne } from './answer.js';

/** Answers a review: fills in its status, or makes another object of its kind. Throws StatusError when it cannot be. */
export type Reviewer = (
  review: KubernetesObject,
  context: RequestContext,
) => KubernetesObject | Promise<KubernetesObject>;

export interface ReviewOptions {
  readonly codec: KindCodec;
  readonly namespaced: boolean;
  readonly kindExists: KindLookup;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The create of a kind that is answered at once. */
export function reviewHandler({ codec, namespaced, kindExists, now }: ReviewOptions, answer: Reviewer) {
  return async (context: RequestContext): Promise<void> => {
    const representation = negotiateRepresentation(context);
    const options = parseCreateOptions(context.query);
    const review = await readObject(context, codec, options.fieldValidation, kindExists);
    wipeSystemMetadata(review.metadata);
    placeInNamespace(review, namespaced ? context.info.namespace : '');
    recordManager(context, { now }, { codec, subresource: '', resetFields: emptyFieldSet }, options, undefined, review);
    const answered = await answer(review, context);
    await respondOne(context, answered, { codec, representation, status: 201, now: now() });
  };
}

function placeInNamespace({ metadata }: KubernetesObject, namespace: string): void {
  const given = metadata.namespace ?? '';
  if (namespace === '') delete metadata.namespace;
  else if (given !== '' && given !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  } else metadata.namespace = namespace;
}
