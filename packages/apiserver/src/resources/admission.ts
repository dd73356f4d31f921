import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '@binnacle/api/types/admissionregistration-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Strategy } from '../registry/index.js';
import { loadAdmissionRules, loadedAdmissionRules } from './admission-rules.js';
import { kind, type PlainStrategy, spec } from './kind.js';
import { statusStrategy } from './status.js';

const STATIC_SUFFIX = '.static.k8s.io';

/** Warns of names that will be invalid once they are used as file names. */
function staticNameWarnings(object: KubernetesObject): string[] {
  if (object.metadata.name?.endsWith(STATIC_SUFFIX) !== true) return [];
  return [
    `metadata.name: names ending with "${STATIC_SUFFIX}" will be reserved for static manifest-based configurations when the ManifestBasedAdmissionControlConfig feature gate is enabled`,
  ];
}

const conditional: PlainStrategy = { ready: loadAdmissionRules, allowUnconditionalUpdate: false };
const admissionRules = { anyFinalizer: true, desired: spec, warnings: staticNameWarnings } as const;

/** Upstream: `pkg/registry/admissionregistration`. */
export const webhookConfigurationStrategy: Strategy = kind<
  MutatingWebhookConfiguration | ValidatingWebhookConfiguration
>(
  {
    anyFinalizer: true,
    desired: (object) => ({ webhooks: object['webhooks'] }),
    warnings: staticNameWarnings,
    validate: (object) => loadedAdmissionRules().validateWebhookConfiguration(object),
    validateUpdate: (object, old) => loadedAdmissionRules().validateWebhookConfigurationUpdate(object, old),
  },
  conditional,
);

export const validatingAdmissionPolicyStrategy: Strategy = kind<ValidatingAdmissionPolicy>(
  {
    ...admissionRules,
    status: true,
    validate: (object) => loadedAdmissionRules().validateValidatingAdmissionPolicy(object),
    validateUpdate: (object, old) => loadedAdmissionRules().validateValidatingAdmissionPolicyUpdate(object, old),
  },
  conditional,
);

export const validatingAdmissionPolicyStatusStrategy: Strategy = {
  ...statusStrategy<ValidatingAdmissionPolicy>({
    keeps: 'metadata',
    validateUpdate: (object) => loadedAdmissionRules().validateValidatingAdmissionPolicyStatusUpdate(object),
  }),
  ready: loadAdmissionRules,
};

export const validatingAdmissionPolicyBindingStrategy: Strategy = kind<ValidatingAdmissionPolicyBinding>(
  {
    ...admissionRules,
    validate: (object) => loadedAdmissionRules().validateValidatingAdmissionPolicyBinding(object),
    validateUpdate: (object) => loadedAdmissionRules().validateValidatingAdmissionPolicyBindingUpdate(object),
  },
  conditional,
);

export const mutatingAdmissionPolicyStrategy: Strategy = kind<MutatingAdmissionPolicy>(
  {
    ...admissionRules,
    validate: (object) => loadedAdmissionRules().validateMutatingAdmissionPolicy(object),
    validateUpdate: (object, old) => loadedAdmissionRules().validateMutatingAdmissionPolicyUpdate(object, old),
  },
  conditional,
);

export const mutatingAdmissionPolicyBindingStrategy: Strategy = kind<MutatingAdmissionPolicyBinding>(
  {
    ...admissionRules,
    validate: (object) => loadedAdmissionRules().validateMutatingAdmissionPolicyBinding(object),
    validateUpdate: (object) => loadedAdmissionRules().validateMutatingAdmissionPolicyBindingUpdate(object),
  },
  conditional,
);
