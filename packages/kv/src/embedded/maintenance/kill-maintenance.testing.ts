import { backupStore, compactStore, restoreStore } from './index.js';

/** `backup|restore|compact DIRECTORY FILE AT`: kills itself when the step that counts reaches `AT`, or its end. */
const [command, directory = '', file = '', at] = process.argv.slice(2);
const progress = (step: string, done: number, total: number): void => {
  if (command === 'compact' && step !== 'rewriting') return;
  if (done === (at === 'end' ? total : Number(at))) process.kill(process.pid, 'SIGKILL');
};
const options = { directory, file, progress };
if (command === 'backup') await backupStore(options);
else if (command === 'restore') await restoreStore(options);
else await compactStore(options);
