import { chmod, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The programs that envtest starts. */
export const programs = ['kube-apiserver', 'etcd'] as const;
export type Program = (typeof programs)[number];

/**
 * Writes the programs to a directory, which it creates. `command`: the absolute path of an interpreter, and its arguments. `kubectl`: the
 * path of the program that a link names; undefined: no link. Tests of several packages may do so at once: a program appears whole.
 */
export async function writeAssets(
  directory: string,
  command: readonly string[],
  kubectl: string | undefined,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  const parts = await mkdtemp(join(directory, '.parts-'));
  try {
    for (const program of programs) {
      const script = `#!/bin/sh\nexec ${[...command, 'envtest', program].map(quoted).join(' ')} -- "$@"\n`;
      await writeFile(join(parts, program), script);
      await chmod(join(parts, program), 0o755);
    }
    if (kubectl !== undefined) await symlink(kubectl, join(parts, 'kubectl'));
    for (const name of await readdir(parts)) await rename(join(parts, name), join(directory, name));
  } finally {
    await rm(parts, { recursive: true, force: true });
  }
}

/** A word of a shell's command line. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
