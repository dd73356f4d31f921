export { createStorageVersionMigratorLoop } from './storage-version-migrator-loop.js';
