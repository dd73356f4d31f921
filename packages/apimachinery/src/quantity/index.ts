export { QuantityError } from './parse.js';
export { canonicalizeQuantity, Quantity } from './quantity.js';
export type { QuantityFormat } from './suffix.js';
