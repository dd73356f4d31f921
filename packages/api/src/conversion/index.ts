export { canConvert, ConversionError, convert } from './convert.js';
