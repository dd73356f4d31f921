export { APPROVED_ANNOTATION, type ApiApproval, apiApproval, isProtectedGroup } from './approval.js';
export {
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionStatusUpdate,
  validateCustomResourceDefinitionUpdate,
} from './definition.js';
export { customResourceDefinitionWarnings } from './warnings.js';
