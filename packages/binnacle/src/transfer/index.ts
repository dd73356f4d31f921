export { runTransfer, type ServerEnd, type Transfer, type TransferParts } from './run.js';
