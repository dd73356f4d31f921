/** Which controllers run in the server, and which in kube-controller-manager. */
import { chooseLoops } from '@binnacle/controllers/table';

/**
 * `ours`: all of Binnacle's and no kube-controller-manager. `upstream`: none of Binnacle's. `mixed`: all of Binnacle's,
 * and kube-controller-manager runs the rest. Anything else is a list as for `--controllers`: Binnacle runs these, and
 * kube-controller-manager all others. Returns the `--controllers` of both; undefined means that the manager does not run.
 */
export function divideControllers(choice) {
  if (choice === 'ours') return { ours: '*', upstream: undefined };
  if (choice === 'upstream') return { ours: '', upstream: '*' };
  const ours = choice === 'mixed' ? '*' : choice;
  return { ours, upstream: ['*', ...chooseLoops(ours).map(({ name }) => `-${name}`)].join() };
}
