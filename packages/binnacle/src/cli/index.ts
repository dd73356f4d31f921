export { renderOptionsPage } from './arguments/options-page.js';
