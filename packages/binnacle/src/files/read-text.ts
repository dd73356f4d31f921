import { readFile } from 'node:fs/promises';
import { describeFileError } from './file-error.js';

/** The text of a file. Throws an error with the file name and the reason. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = describeFileError(error);
    throw reason === undefined ? error : new Error(`${file}: ${reason}`, { cause: error });
  }
}
