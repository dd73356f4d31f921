/** The site of the documentation: the Markdown files of the repository, where they are, with search that needs no network. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { linkPages } from './links.mjs';
import { sidebarOf } from './sidebar.mjs';

const root = resolve(fileURLToPath(import.meta.url), '../../..');

export default defineConfig({
  title: 'Binnacle',
  description: 'A Kubernetes API server, and the machinery around it, in TypeScript',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: root,
  outDir: resolve(root, 'site/dist'),
  cacheDir: resolve(root, 'site/.cache'),
  srcExclude: ['site/**', 'test/**', '**/node_modules/**', '**/dist/**', '.cache/**'],
  rewrites: { 'README.md': 'index.md', ':folder(.*)/README.md': ':folder/index.md' },
  markdown: { config: (markdown) => linkPages(markdown, root) },
  // The pages lie outside this folder, which has the modules.
  vite: { resolve: { alias: [{ find: /^vue(?=\/|$)/, replacement: resolve(root, 'site/node_modules/vue') }] } },
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    sidebar: sidebarOf(root),
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
  },
});
