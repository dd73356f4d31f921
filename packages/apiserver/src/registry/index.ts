export type { Strategy, StrategyContext } from './strategy.js';
