import { MOST_NODES, MOST_PROCESS_NODES } from '@binnacle/nodes/node/limits';
import type { StartOptions } from './options.js';
import { usageError } from '../start-error.js';

export function checkScheduler({ scheduler, schedulerConfigFile, controllers }: StartOptions): void {
  if (schedulerConfigFile === undefined || (scheduler ?? controllers !== '')) return;
  throw usageError('--scheduler-config is given, and no scheduler runs: add --scheduler');
}

export function checkNodes({ nodes = 0 }: StartOptions): void {
  if (Number.isInteger(nodes) && nodes >= 0 && nodes <= MOST_NODES) return;
  throw usageError(`--nodes must be from 0 to ${MOST_NODES}`);
}

export function checkProcessNodes(options: StartOptions): void {
  const { processNodes = 0, allowProcesses = false, imageCommands = [], imageCommandsFile } = options;
  const hasCommands = imageCommands.length > 0 || imageCommandsFile !== undefined;
  if (!Number.isInteger(processNodes) || processNodes < 0 || processNodes > MOST_PROCESS_NODES) {
    throw usageError(`--process-nodes must be from 0 to ${MOST_PROCESS_NODES}`);
  }
  if (processNodes === 0) {
    if (!hasCommands) return;
    throw usageError(
      '--image-command and --image-commands-file are given, and no node runs programs: add --process-nodes',
    );
  }
  if (process.platform === 'win32') throw usageError('--process-nodes needs a POSIX system');
  if (!allowProcesses) {
    throw usageError(
      '--process-nodes runs programs of this machine for everyone who may create pods: agree with --allow-processes',
    );
  }
  if (!hasCommands) throw usageError('--process-nodes needs the programs of images: add --image-command IMAGE=COMMAND');
}
