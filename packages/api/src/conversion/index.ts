export { ConversionError } from './conversion-error.js';
export { canConvert, convert } from './convert.js';
