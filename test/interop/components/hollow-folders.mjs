import { rm } from 'node:fs/promises';

/** Removes the folders that hollow kubelets have made. They choose these themselves, outside of TMPDIR. */
export async function removeHollowFolders(programs) {
  const folders = programs.flatMap(({ said }) =>
    Array.from(said.matchAll(/Using (\S+) as root dir/g), ([, found]) => found),
  );
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}
