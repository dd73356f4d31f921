export { canDeal, deal } from './dealer.js';
export type { FlowQueue, Ticket } from './flow-queue.js';
export { type Arrival, QueueSet, type QueueSetShape, type Refusal } from './queue-set.js';
export type { Demand } from './seat-demand.js';
export { type Load, noLoad, type Work } from './work.js';
