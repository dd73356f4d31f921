export type { SimulationFaults } from './faults.js';
export type { NodeBehaviour } from './next-pod-step.js';
export { bindPod, finishPod, type PodActor, removePod, runPod } from './pods.js';
export { Simulation, type SimulationOptions } from './simulation.js';
