import { chmod, mkdir, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Container } from '@binnacle/client/kinds/core/v1';
import { below } from './mounts.js';
import type { VolumeFile } from './volume-files.js';

/** Only the user of this process reads tokens and secrets. */
const PRIVATE = 0o700;

/** The files of a pod on this machine: its volumes, and for each container a folder that serves as its root. */
export class PodFolder {
  readonly #path: string;
  /** By volume and path. */
  readonly #written = new Map<string, VolumeFile>();

  constructor(path: string) {
    this.#path = path;
  }

  rootOf(container: string): string {
    return join(this.#path, 'containers', container);
  }

  /** The kubeconfig of a container. */
  kubeconfigOf(container: string): string {
    return join(this.#path, `kubeconfig-${container}`);
  }

  #volume(name: string): string {
    return join(this.#path, 'volumes', name);
  }

  /** Writes the files that have changed, each at once, and removes those that are gone. */
  async writeVolume(name: string, files: ReadonlyMap<string, VolumeFile>): Promise<void> {
    const folder = this.#volume(name);
    await mkdir(folder, { recursive: true, mode: PRIVATE });
    for (const [path, file] of files) {
      const key = `${name}/${path}`;
      const known = this.#written.get(key);
      if (known?.mode === file.mode && known.bytes.equals(file.bytes)) continue;
      await writeWhole(below(folder, path), file.bytes, file.mode);
      this.#written.set(key, file);
    }
    for (const key of this.#written.keys()) {
      const path = key.slice(name.length + 1);
      if (!key.startsWith(`${name}/`) || files.has(path)) continue;
      await unlink(below(folder, path));
      this.#written.delete(key);
    }
  }

  /** Makes the root of a container, with a link at each mount to its volume. */
  async makeRoot({ name, volumeMounts = [], workingDir }: Container): Promise<string> {
    const root = this.rootOf(name);
    await mkdir(below(root, 'tmp'), { recursive: true, mode: PRIVATE });
    // Mounts below other mounts come later.
    const mounts = volumeMounts.toSorted((one, other) => one.mountPath.length - other.mountPath.length);
    for (const { mountPath, name: volume, subPath = '' } of mounts) {
      const place = below(root, mountPath);
      await mkdir(dirname(place), { recursive: true, mode: PRIVATE });
      await rm(place, { recursive: true, force: true });
      await symlink(below(this.#volume(volume), subPath), place);
    }
    if (workingDir !== undefined) await mkdir(below(root, workingDir), { recursive: true, mode: PRIVATE });
    return root;
  }

  async writeKubeconfig(container: string, text: string): Promise<string> {
    const path = this.kubeconfigOf(container);
    await writeWhole(path, Buffer.from(text), 0o600);
    return path;
  }

  /** A process that ends meanwhile may still write a file. */
  async remove(): Promise<void> {
    await rm(this.#path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Readers see the old file or the new one. */
async function writeWhole(path: string, bytes: Buffer, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE });
  const temporary = `${path}.new`;
  await writeFile(temporary, bytes, { mode: 0o600 });
  await chmod(temporary, mode);
  await rename(temporary, path);
}
