/**
 * Unpacks etcd for tests: Debian 12's into .cache/etcd-debian and, if available, Debian 13's into .cache/etcd-debian-13. Only
 * the newer one answers progress requests correctly. The tool that restores snapshots for 3.4 is in a package of its own. Prints the paths.
 */
import { spawnSync } from 'node:child_process';
import { giveUp, unpackDebian } from './unpack-debian.mjs';

const printed = (program, pattern, ...parameters) => {
  const { stdout } = spawnSync(program, parameters, { encoding: 'utf8', env: { ...process.env, ETCDCTL_API: '3' } });
  return pattern.exec(stdout ?? '')?.[1];
};

const etcd = {
  packageName: 'etcd-server',
  binary: 'usr/bin/etcd',
  versionOf: (binary) => printed(binary, /etcd Version: (\S+)/, '--version'),
};
const etcdctl = {
  packageName: 'etcd-client',
  binary: 'usr/bin/etcdctl',
  versionOf: (binary) => printed(binary, /etcdctl version: (\S+)/, 'version'),
};

console.log(await unpackDebian({ ...etcd, folder: 'etcd-debian', wantedVersion: '3.4.' }).catch(giveUp('fetch-etcd')));
try {
  console.log(await unpackDebian({ ...etcdctl, folder: 'etcd-client-debian', wantedVersion: '3.4.' }));
} catch (error) {
  console.error(`fetch-etcd: etcd 3.4 is not tested with snapshots: ${error.message}`);
}
try {
  console.log(await unpackDebian({ ...etcd, suite: 'trixie', folder: 'etcd-debian-13', wantedVersion: '3.5.' }));
} catch (error) {
  console.error(`fetch-etcd: tests do without etcd 3.5: ${error.message}`);
}
