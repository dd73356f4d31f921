import { describe, it } from 'node:test';
import { join } from 'node:path';
import { binaries, buildModule, certManager, gatekeeper } from './operators/build.mjs';
import { walkCertManager } from './operators/cert-manager.mjs';
import { walkGatekeeper } from './operators/gatekeeper.mjs';
import { withWorkbench } from './operators/workbench.mjs';
import { hasGo, unlessAsked } from './programs.mjs';

const skip = unlessAsked('operators', hasGo(), 'there is no go on the PATH');
/** Thousands of packages to build, the first time. */
const timeout = 60 * 60_000;
const logsOf = (name) => ({ logs: join(binaries, 'logs', name) });

describe('operators', { skip, timeout }, () => {
  it('cert-manager', async () => {
    const module = await buildModule(certManager);
    await withWorkbench(logsOf('cert-manager'), (workbench) =>
      walkCertManager(workbench, { binaries: certManager.output, module }),
    );
  });

  it('Gatekeeper', async () => {
    const module = await buildModule(gatekeeper);
    await withWorkbench(logsOf('gatekeeper'), (workbench) =>
      walkGatekeeper(workbench, { binary: gatekeeper.output, module }),
    );
  });
});
