export { deedOf, mapperOf, perform } from './perform.js';
export type { Stage } from './stage.js';
