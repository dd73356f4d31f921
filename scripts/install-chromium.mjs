/**
 * Installs Debian's Chromium for the tests of the console's page, unless the machine has a browser for them. Needs root. Without a browser
 * these tests are skipped, and say so. Prints what they use.
 */
import { spawnSync } from 'node:child_process';
import { chromiumPath } from './chromium-path.mjs';

const apt = (...parameters) =>
  spawnSync('apt-get', ['-q', ...parameters], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0;
const install = () => apt('install', '-y', '--no-install-recommends', 'chromium');

// The machine's index of packages may be missing or old.
if (chromiumPath() === undefined && !install() && apt('update')) install();
console.log(
  chromiumPath() ?? 'install-chromium: tests do without the page of the console: apt-get cannot install chromium',
);
