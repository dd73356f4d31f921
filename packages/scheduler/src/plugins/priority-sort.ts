import type { Plugin } from '../framework/index.js';

/** Pods of higher priority first, then those that have waited longer. */
export const prioritySort: Plugin = {
  name: 'PrioritySort',
  compare: (a, b) => b.facts.priority - a.facts.priority || a.since - b.since,
};
