import { backupStore, restoreStore } from './index.js';

/** `backup|restore DIRECTORY FILE AT`: ends itself as if killed when it has come to value `AT`. */
const [command, directory = '', file = '', at] = process.argv.slice(2);
const progress = (_: string, done: number): void => {
  if (done === Number(at)) process.kill(process.pid, 'SIGKILL');
};
await (command === 'backup' ? backupStore : restoreStore)({ directory, file, progress });
