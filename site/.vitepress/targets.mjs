import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * The target of a link as a page of the site; undefined if there is no page for it, as for source code. A folder's page is its README. `folder` has the
 * page with the link.
 */
export function targetOn(target, { folder, root }) {
  if (/^[a-z]+:|^#/.test(target)) return target;
  const [path, anchor] = target.split('#');
  const isPage = (file) => !/^(\.\.|test)\//.test(relative(root, file));
  const file = join(folder, decodeURI(path));
  if (path.endsWith('.md')) return isPage(file) ? target : undefined;
  const readme = join(file, 'README.md');
  if (!existsSync(readme) || !isPage(readme)) return undefined;
  return `${path.replace(/\/$/, '')}/README.md${anchor === undefined ? '' : `#${anchor}`}`;
}
