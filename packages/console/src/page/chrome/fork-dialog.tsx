import type { ForkState } from '../app.js';
import { useApp } from '../context.js';
import { forkCommand } from '../texts.js';
import { Dialog } from './dialog.js';

/** Shows the progress of the start of a fork, and how to use it. */
export function ForkDialog() {
  const app = useApp();
  const close = () => (app.overlay.value = undefined);
  const state = app.fork.value;
  if (state === undefined) return null;
  return (
    <Dialog label="Fork" class="fork" onClose={close}>
      <h1>Fork of revision {state.version}</h1>
      <Progress state={state} />
      <button type="button" class="button" onClick={close}>
        Close <kbd>Esc</kbd>
      </button>
    </Dialog>
  );
}

function Progress({ state }: { readonly state: ForkState }) {
  if (state.type === 'starting') return <p role="status">The server starts it …</p>;
  if (state.type === 'refused') {
    return (
      <>
        <p class="refusal" role="alert">
          {state.message}
        </p>
        <p>
          As another user, try in a terminal: <code>{forkCommand(state.version)}</code>
        </p>
      </>
    );
  }
  const { name, url, kubeconfig } = state.fork;
  return (
    <div role="status">
      <p>
        <strong>{name}</strong> runs at <code>{url}</code>, with all objects as they were then. Neither server sees what
        is written to the other. To use it, in a terminal:
      </p>
      <pre>export KUBECONFIG={quoted(kubeconfig)}</pre>
      <p>To see it in a console of its own, and to stop it:</p>
      <pre>
        binnacle console --kubeconfig {quoted(kubeconfig)}
        {'\n'}
        binnacle fork --delete {name}
      </pre>
      <p class="dim">It lives in memory, and ends with the server that it is a fork of.</p>
    </div>
  );
}

/** For a shell. */
const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
