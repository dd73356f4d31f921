export { isStoredValue, readStoredValue, type StoredValue } from './read-stored-value.js';
