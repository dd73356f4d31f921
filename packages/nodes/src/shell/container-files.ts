import { FileTree } from './file-tree.js';

const OS_RELEASE = `NAME="Simulated"
PRETTY_NAME="A container that Binnacle simulates"
ID=simulated
`;

/** The files of a container that has just started. */
export function containerFiles(hostname: string, workingDirectory: string): FileTree {
  const files = new FileTree();
  for (const directory of ['/bin', '/etc', '/root', '/tmp', '/usr/bin', '/var/log', workingDirectory]) {
    files.makeDirectory(directory);
  }
  files.write('/etc/hostname', Buffer.from(`${hostname}\n`));
  files.write('/etc/hosts', Buffer.from(`127.0.0.1\tlocalhost\n`));
  files.write('/etc/os-release', Buffer.from(OS_RELEASE));
  return files;
}
