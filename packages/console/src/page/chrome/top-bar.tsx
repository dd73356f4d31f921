import { useApp } from '../context.js';
import { count } from '../texts.js';

/** The server, the search, and how things are. */
export function TopBar() {
  const app = useApp();
  const { session } = app;
  return (
    <header class="top">
      <div class="brand">
        <Compass />
        <span>Binnacle</span>
      </div>
      <div class="server" title={session.server}>
        {session.server.replace(/^https?:\/\//, '')} <span class="dim">{session.version}</span>
      </div>
      <button type="button" class="search" aria-keyshortcuts="/" onClick={() => (app.overlay.value = 'search')}>
        <span>Search objects, kinds, commands</span>
        <kbd>/</kbd>
      </button>
      <Pulse />
      <button type="button" class="plain" aria-keyshortcuts="t" onClick={() => app.switchTheme()}>
        {app.theme.value === 'dark' ? 'Light' : 'Dark'}
      </button>
      <button type="button" class="plain" aria-keyshortcuts="?" onClick={() => (app.overlay.value = 'help')}>
        Keys <kbd>?</kbd>
      </button>
    </header>
  );
}

function Pulse() {
  const app = useApp();
  const rate = app.rate.value;
  if (app.outage.value !== '') {
    return (
      <div class="pulse broken" role="status" title={app.outage.value}>
        <i /> connection lost, trying again
      </div>
    );
  }
  const isComplete = app.tick.value >= 0 && app.live.complete !== undefined;
  return (
    <div class={rate > 0 ? 'pulse lively' : 'pulse'} title="changes a second, over the last five seconds">
      <i />
      {isComplete ? count(app.live.size, 'object') : `reading, ${count(app.live.size, 'object')}`}
      <span class="dim">{rate >= 10 ? Math.round(rate) : rate.toFixed(1)} changes/s</span>
    </div>
  );
}

/** A compass in its stand. */
function Compass() {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <circle cx="12" cy="12" r="10" fill="none" stroke="currentColor" stroke-width="1.6" />
      <path d="M12 4.5 14.2 12 12 19.5 9.8 12Z" fill="currentColor" opacity="0.35" />
      <path class="needle" d="M12 4.5 14.2 12H9.8Z" />
    </svg>
  );
}
