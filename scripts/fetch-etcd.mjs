/**
 * Unpacks etcd for tests: Debian 12's into .cache/etcd-debian and, if available, Debian 13's into .cache/etcd-debian-13. Only
 * the newer one answers progress requests correctly. Prints the paths of the binaries.
 */
import { spawnSync } from 'node:child_process';
import { giveUp, unpackDebian } from './unpack-debian.mjs';

const etcd = {
  packageName: 'etcd-server',
  binary: 'usr/bin/etcd',
  versionOf: (binary) => {
    const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
    return /etcd Version: (\S+)/.exec(stdout ?? '')?.[1];
  },
};

console.log(await unpackDebian({ ...etcd, folder: 'etcd-debian', wantedVersion: '3.4.' }).catch(giveUp('fetch-etcd')));
try {
  console.log(await unpackDebian({ ...etcd, suite: 'trixie', folder: 'etcd-debian-13', wantedVersion: '3.5.' }));
} catch (error) {
  console.error(`fetch-etcd: tests do without etcd 3.5: ${error.message}`);
}
