import { messageOf } from '@binnacle/apimachinery/errors';
import '@preact/signals';
import { render } from 'preact';
import { App } from './app.js';
import { initialTheme, sessionKey, showTheme } from './browser.js';
import { Connection } from './connection.js';
import { AppContext } from './context.js';
import { Page } from './page.js';

const root = document.getElementById('page');
if (root === null) throw new Error('the document has no place for the page');
showTheme(initialTheme());
const key = sessionKey();
if (key === undefined) render(<Closed reason="This page has no session." />, root);
else {
  const connection = new Connection(key);
  connection.session().then(
    (session) => {
      const app = new App(connection, session);
      render(
        <AppContext.Provider value={app}>
          <Page />
        </AppContext.Provider>,
        root,
      );
      void app.follow();
    },
    (error: unknown) => render(<Closed reason={messageOf(error)} />, root),
  );
}

function Closed({ reason }: { readonly reason: string }) {
  return (
    <main class="closed">
      <h1>Binnacle console</h1>
      <p>{reason}</p>
      <p class="dim">
        Open the link that <code>binnacle console</code> prints. Each link works once; press Enter there for another
        one.
      </p>
    </main>
  );
}
