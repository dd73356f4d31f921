export { renderOptionsPage } from './options-page.js';
