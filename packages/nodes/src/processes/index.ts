export { ContainerProcess, type ProcessEnd } from './container-process.js';
export { feedInput } from './feed-input.js';
export { findProgram } from './find-program.js';
export { Output } from './output.js';
export type { ProcessSpec } from './process-group.js';
export { Prober, type ProbeKind } from './prober.js';
export { Reaper } from './reaper.js';
export type { ProcessSystem } from './system.js';
export { type CommandStreams, runCommand } from './run-command.js';
