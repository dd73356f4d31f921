import { access, constants, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';

/** The file of a program, as a container runtime finds it, or why there is none. */
export async function findProgram(
  name: string,
  { environment, directory }: { readonly environment: Readonly<Record<string, string>>; readonly directory: string },
): Promise<{ readonly path: string } | { readonly problem: string }> {
  const folders = name.includes('/') ? [''] : (environment['PATH'] ?? '').split(':').filter((folder) => folder !== '');
  for (const folder of folders) {
    const path = isAbsolute(name) ? name : resolve(directory, folder, name);
    if (await isProgram(path)) return { path };
  }
  const where = name.includes('/') ? 'no such executable file' : 'executable file not found in $PATH';
  return { problem: `exec: ${JSON.stringify(name)}: ${where}` };
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
