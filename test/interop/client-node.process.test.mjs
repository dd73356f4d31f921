import { it } from 'node:test';
import { join } from 'node:path';
import { here, passes } from './programs.mjs';

it('@kubernetes/client-node', { timeout: 600_000 }, () => passes(process.execPath, [join(here, 'node/main.mjs')]));
