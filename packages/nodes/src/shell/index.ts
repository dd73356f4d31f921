export { containerFiles } from './container-files.js';
export { FileProblem, FileTree, resolvePath } from './file-tree.js';
export { type Network, noNetwork } from './network.js';
export { type Ending, runProgram } from './run-program.js';
export type { Container, Streams } from './session.js';
export { Terminal, type Typed } from './terminal.js';
