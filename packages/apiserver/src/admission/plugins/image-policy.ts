import type { Container, Pod } from '@binnacle/api/types/core-v1';
import { asKind } from '@binnacle/apimachinery/meta';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';

/** What a service is asked about a pod. Upstream: `imagepolicy.k8s.io/v1alpha1` ImageReviewSpec. */
export interface ImageReviewSpec {
  readonly containers: readonly { readonly image: string }[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly namespace: string;
}

export interface ImageVerdict {
  readonly allowed: boolean;
  readonly reason: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** Asks a service about the images of pods. */
export interface ImageReviewer {
  /** Whether a pod is allowed when the service fails. */
  readonly allowsOnFailure: boolean;
  /** Resolves with the text of the error when the service fails. It has a deadline. */
  review(spec: ImageReviewSpec): Promise<ImageVerdict | { readonly error: string }>;
}

/** The service sees only annotations whose keys contain this. */
const SHOWN = '.image-policy.k8s.io/';
const AUDIT_PREFIX = 'imagepolicywebhook.image-policy.k8s.io/';

/** Lets a service decide about the images of pods. Upstream: `plugin/pkg/admission/imagepolicy`. */
export function imagePolicyWebhook(reviewer: ImageReviewer): AdmissionPlugin {
  return {
    name: 'ImagePolicyWebhook',
    resources: ['pods'],
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate(attributes) {
      const containers = containersOf(attributes);
      return containers === undefined ? undefined : check(attributes, containers);
    },
  };

  async function check(attributes: AdmissionAttributes, containers: readonly Container[]): Promise<void> {
    const { namespace, object } = attributes;
    const annotations = Object.entries(object?.metadata.annotations ?? {}).filter(([name]) => name.includes(SHOWN));
    const spec = {
      containers: containers.map(({ image = '' }) => ({ image })),
      annotations: Object.fromEntries(annotations),
      namespace,
    };
    const verdict = await reviewer.review(spec);
    if ('error' in verdict) {
      if (!reviewer.allowsOnFailure) throw refusal(attributes, verdict.error);
      attributes.annotate(`${AUDIT_PREFIX}failed-open`, 'true');
      return;
    }
    for (const [key, value] of Object.entries(verdict.auditAnnotations)) {
      attributes.annotate(`${AUDIT_PREFIX}${key}`, value);
    }
    if (verdict.allowed) return;
    throw refusal(
      attributes,
      verdict.reason === ''
        ? 'one or more images rejected by webhook backend'
        : `image policy webhook backend denied one or more images: ${verdict.reason}`,
    );
  }
}

/** Undefined: the write changes no images. */
function containersOf({ object, subresource }: AdmissionAttributes): readonly Container[] | undefined {
  const spec = asKind<Pod>(object)?.spec;
  if (subresource === 'ephemeralcontainers') return spec?.ephemeralContainers ?? [];
  return subresource === '' ? [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])] : undefined;
}
