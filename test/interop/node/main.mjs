/**
 * Does what programs do with @kubernetes/client-node, and says what did not come out as it should. The cluster is that of
 * KUBECONFIG. Without a word all was well.
 */
import { KubeConfig } from './client-node.mjs';
import { walkApply } from './apply.mjs';
import { walkCustomObjects } from './custom-objects.mjs';
import { walkEviction } from './eviction.mjs';
import { walkInformer } from './informer.mjs';
import { walkObjects } from './objects.mjs';
import { walkPatches } from './patches.mjs';
import { walkWatches } from './watches.mjs';

const config = new KubeConfig();
config.loadFromDefault();
try {
  for (const walk of [
    walkObjects,
    walkPatches,
    walkApply,
    walkWatches,
    walkInformer,
    walkEviction,
    walkCustomObjects,
  ]) {
    await walk(config, `node-${walk.name.slice('walk'.length).toLowerCase()}`);
  }
} catch (error) {
  console.error(error.stack);
  process.exitCode = 1;
}
