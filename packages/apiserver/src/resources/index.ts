export { scaleSelectorOf, statusStrategyOf, strategyOf, subresourceStrategyOf } from './lookup.js';
