export { LabelSelectorError } from './error.js';
export {
  formatLabelSelector,
  type LabelExpression,
  labelSelectorFromMap,
  labelSelectorFromObject,
  type LabelSelectorObject,
} from './object.js';
export { parseLabelMap } from './label-map.js';
export { checkLabelSelectorInSteps, parseLabelSelector, parseLabelSelectorInSteps } from './parse.js';
export { type LabelOperator, LabelRequirement, type Labels } from './requirement.js';
export { everything, LabelSelector, nothing } from './selector.js';
