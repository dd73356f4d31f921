export { describeCommands } from './arguments/command-line.js';
export { renderManualPage } from './arguments/manual-page.js';
export { renderOptionsPage } from './arguments/options-page.js';
