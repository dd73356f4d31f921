import { Buffer } from 'node:buffer';
import { encodeJson } from '@binnacle/apimachinery/json';
import {
  type AdmissionAttributes,
  type EncodedObjects,
  requestDocument,
  type VersionedResource,
} from '../admission/index.js';

export type ReviewVersion = 'v1' | 'v1beta1';

export const REVIEW_GROUP = 'admission.k8s.io';
export const REVIEW_KIND = 'AdmissionReview';

/** The first version of reviews that both sides support; undefined: none. */
export function reviewVersionOf(accepted: readonly string[]): ReviewVersion | undefined {
  return accepted.find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1');
}

const NULL = Buffer.from('null');

/** The request to a webhook, in pieces; both versions have the same fields. All webhooks share the pieces of the objects. */
export function admissionReview(
  version: ReviewVersion,
  uid: string,
  attributes: AdmissionAttributes,
  seen: VersionedResource,
  objects: EncodedObjects,
): readonly Uint8Array[] {
  const request = encodeJson({ uid, ...requestDocument(attributes, seen) });
  return [
    Buffer.from(`{"kind":"${REVIEW_KIND}","apiVersion":"${REVIEW_GROUP}/${version}","request":`),
    request.subarray(0, -1),
    Buffer.from(',"object":'),
    objects.object ?? NULL,
    Buffer.from(',"oldObject":'),
    objects.oldObject ?? NULL,
    Buffer.from('}}'),
  ];
}
