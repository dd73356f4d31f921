export { validateMutatingAdmissionPolicy, validateMutatingAdmissionPolicyUpdate } from './mutating-policy.js';
export {
  validateMutatingAdmissionPolicyBinding,
  validateMutatingAdmissionPolicyBindingUpdate,
  validateValidatingAdmissionPolicyBinding,
  validateValidatingAdmissionPolicyBindingUpdate,
} from './policy-binding.js';
export {
  validateValidatingAdmissionPolicy,
  validateValidatingAdmissionPolicyStatusUpdate,
  validateValidatingAdmissionPolicyUpdate,
} from './policy.js';
export { validateWebhookConfiguration, validateWebhookConfigurationUpdate } from './webhook-configuration.js';
