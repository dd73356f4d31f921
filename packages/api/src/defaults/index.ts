export { applyDefaults, applyDefaultsInSteps, type DefaultOptions } from './apply-defaults.js';
export { defaultMetrics } from './autoscaling.js';
export { type DefaultContext, type TypeRule } from './type-rule.js';
export { typeDefaults } from './type-defaults.js';
