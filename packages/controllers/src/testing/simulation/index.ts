export type { SimulationFaults } from './faults.js';
export type { NodeBehaviour } from './next-pod-step.js';
export { bindPod, finishPod, type PodActor, removePod, runPod } from './pods.js';
export type { LoggedRequest, RequestLog } from './request-log.js';
export type { RequestFacts } from './request-facts.js';
export { Simulation, type SimulationOptions } from './simulation.js';
