export { applyDefaults, applyDefaultsInSteps, type DefaultOptions } from './apply-defaults.js';
export { type DefaultContext, type TypeRule } from './type-rule.js';
