import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The sources of all packages, as paths from the root: without tests, rooms named `testing`, and generated files. */
export function* packageSources(root) {
  for (const name of readdirSync(join(root, 'packages'))) {
    const folder = join(root, 'packages', name, 'src');
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/');
      if (!entry.isFile() || !/\.tsx?$/.test(path)) continue;
      if (/\.(test|testing)\.tsx?$|\/generated\/|^packages\/\w+\/src\/testing\//.test(path)) continue;
      yield path;
    }
  }
}
