export { mapperOf, nameOfAction, perform } from './perform.js';
export type { Stage } from './stage.js';
