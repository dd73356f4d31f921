import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const NO_ETCD = 'no etcd here: run scripts/fetch-etcd.mjs, or install one';

/** Where scripts/fetch-etcd.mjs unpacks them. Most tests use the first one. */
const unpacked = ['etcd-debian', 'etcd-debian-13'].map((folder) =>
  fileURLToPath(new URL(`../../../../.cache/${folder}/usr/bin/etcd`, import.meta.url)),
);

/** The tool of the first one, whose package has none. */
const unpackedClient = fileURLToPath(new URL('../../../../.cache/etcd-client-debian/usr/bin/etcdctl', import.meta.url));

/** The binary in `BINNACLE_ETCD`, or those that scripts/fetch-etcd.mjs unpacked, or the first in PATH. */
export function findBinaries(): readonly string[] {
  const named = process.env['BINNACLE_ETCD'];
  if (named !== undefined) return [named];
  const ours = unpacked.filter((path) => existsSync(path));
  if (ours.length > 0) return ours;
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'etcd'));
  return onPath.filter((path) => existsSync(path)).slice(0, 1);
}

/** Why tests with a real etcd are skipped here; `false` = they run. In CI they are never skipped; they fail. */
export function withoutEtcd(): string | false {
  return findBinaries().length > 0 || process.env['CI'] !== undefined ? false : NO_ETCD;
}

export interface EtcdBinary {
  /** Absent if there is no etcd here. */
  readonly path?: string;
  /** As `3.4.23`, from its own output. */
  readonly version: string;
}

/** All binaries here, for tests of each version; without any, one entry that cannot be started. */
export function etcdBinaries(): readonly EtcdBinary[] {
  const found = findBinaries().map((path) => {
    const output = execFileSync(path, ['--version']).toString();
    return { path, version: /etcd Version: (\S+)/.exec(output)?.[1] ?? 'unknown' };
  });
  return found.length > 0 ? found : [{ version: 'none' }];
}

/** The program with the commands `snapshot status` and `snapshot restore` of a binary's version; undefined if there is none here. */
export function snapshotTool(binary: string): string | undefined {
  const beside = ['etcdutl', 'etcdctl'].map((name) => join(dirname(binary), name));
  const apart = binary === unpacked[0] ? [unpackedClient] : [];
  return [...beside, ...apart].find((path) => existsSync(path));
}

/** Runs a command of a {@link snapshotTool}, and returns what it prints. Throws when the command fails. */
export function runSnapshotTool(tool: string, parameters: readonly string[]): string {
  const env = { ...process.env, ETCDCTL_API: '3' };
  return execFileSync(tool, ['snapshot', ...parameters], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
