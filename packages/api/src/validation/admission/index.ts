// Selectors of devices are expressions too. An entry point of their own would add a file to every start.
export * from '../devices/index.js';
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
