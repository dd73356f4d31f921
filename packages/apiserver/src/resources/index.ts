export { CUSTOM_RESOURCE_CLEANUP } from './definition.js';
export {
  type DefinitionCondition,
  findCondition,
  isConditionTrue,
  removeCondition,
  setCondition,
} from './definition-conditions.js';
export { type DefinitionRules, loadDefinitionRules } from './definition-rules.js';
export { withoutPrivileged } from './privileged.js';
export { scaleSelectorOf, strategyOf, subresourceStrategyOf } from './lookup.js';
export { hasClusterIp, hasHealthCheckPort, hasNodePorts, nodePortsOf } from './service-fields.js';
