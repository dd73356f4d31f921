import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine for tests; undefined if it has none. */
export const chromiumPath = () => PLACES.find((path) => existsSync(path));
