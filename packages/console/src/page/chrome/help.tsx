import { useApp } from '../context.js';
import { KEYS, LIST_KEYS } from '../keys.js';
import { Dialog } from './dialog.js';

/** All keys. */
export function Help() {
  const app = useApp();
  const close = () => (app.overlay.value = undefined);
  return (
    <Dialog label="Keys" class="help" onClose={close}>
      <h1>Keys</h1>
      <div class="help-columns">
        <dl>
          {KEYS.map(({ keys, does }) => (
            <div key={does}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key.replace('Control+', 'Ctrl ')}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <dl>
          {LIST_KEYS.map(([key, does]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>in lists: {does}</dd>
            </div>
          ))}
          <div>
            <dt>
              <kbd>← →</kbd>
            </dt>
            <dd>on the time bar: earlier, later</dd>
          </div>
        </dl>
      </div>
      <button type="button" class="button" onClick={close}>
        Close <kbd>Esc</kbd>
      </button>
    </Dialog>
  );
}
