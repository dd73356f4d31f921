import { emptyFieldSet } from '@binnacle/apimachinery/managedfields';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { negotiateRepresentation } from '../answers/index.js';
import type { KindCodec } from '../codec/index.js';
import {
  type KindLookup,
  plainAdmissionRun,
  readObject,
  recordManager,
  type ResourceEndpoint,
  wipeSystemMetadata,
} from '../endpoints/index.js';
import { placeInNamespace } from '../names/index.js';
import { parseCreateOptions, type RequestContext } from '../request/index.js';
import { respondOne } from './answer.js';

/** Answers a review: fills in its status, or returns another object of its kind. Throws StatusError on failure. */
export type Reviewer = (
  review: KubernetesObject,
  context: RequestContext,
) => KubernetesObject | Promise<KubernetesObject>;

export interface ReviewOptions extends Pick<ResourceEndpoint, 'resource' | 'plugins' | 'admissionObserver'> {
  readonly codec: KindCodec;
  readonly namespaced: boolean;
  readonly kindExists: KindLookup;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Handles the create of a review. */
export function reviewHandler(reviewOptions: ReviewOptions, answer: Reviewer) {
  const { codec, namespaced, kindExists, now } = reviewOptions;
  return async (context: RequestContext): Promise<void> => {
    const representation = negotiateRepresentation(context, codec, { withoutTable: true });
    const options = parseCreateOptions(context.query);
    const review = await readObject(context, codec, options.fieldValidation, kindExists);
    wipeSystemMetadata(review.metadata);
    placeInNamespace(review.metadata, namespaced ? context.info.namespace : '');
    const view = { codec, subresource: '', resetFields: emptyFieldSet };
    await recordManager({ context, endpoint: { clock: { now } }, view, options }, undefined, review);
    const { name = '' } = review.metadata;
    const { dryRun } = options;
    const admission = plainAdmissionRun(context, { ...reviewOptions, subresource: '', name, dryRun });
    await admission.admitCreate(review);
    await admission.validateCreate(review);
    const answered = await answer(review, context);
    await respondOne(context, answered, { codec, representation, status: 201, now: now() });
  };
}
