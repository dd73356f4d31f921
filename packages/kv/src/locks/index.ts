export { LOCK_FILE, lockDirectory, lockOwner } from './directory-lock.js';
export { type FileLock, lockFile, removeUnlocked } from './file-lock.js';
export { type KernelLocks, loadKernelLocks } from './kernel-lock.js';
