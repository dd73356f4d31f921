export { readScenario, ScenarioError } from './read-scenario.js';
export { milliseconds } from './durations.js';
export type { Action, ActionParameters, NodeChoice, ObjectName, Scenario } from './scenario.js';
export { type TimedAction, timeline } from './timeline.js';
