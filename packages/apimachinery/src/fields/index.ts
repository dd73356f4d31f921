export { FieldSelectorError } from './error.js';
export { escapeFieldValue, unescapeFieldValue } from './escape.js';
export { defaultFieldLabels, type FieldLabels, fieldLabelNotSupported, validateFieldLabels } from './field-labels.js';
export { parseFieldSelector, parseFieldSelectorInSteps } from './parse.js';
export { everyField, type FieldRequirement, FieldSelector, type FieldValues } from './selector.js';
