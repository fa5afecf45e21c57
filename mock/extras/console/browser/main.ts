import { html } from 'htm/preact';
import { h, type JSX, render } from 'preact';
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { SandboxView } from '../../admin/sandbox-handlers.ts';
import type { VersionView } from '../../admin/twin-handlers.ts';
import { type Admin, createAdmin } from '../../pages/browser/admin.ts';
import { quoted, TokenForm } from '../../pages/browser/parts.ts';
import { clockPanel } from './clock-panel.ts';
import { dataPanel } from './data-panel.ts';
import { domainsPanel } from './domains-panel.ts';
import { faultsPanel } from './faults-panel.ts';
import { limitsPanel } from './limits-panel.ts';
import { problemLine } from './panel.ts';
import {
  defaultSandbox,
  openSandbox,
  type Place,
  readPageData,
  readPlace,
  toConsoleOf,
} from './place.ts';
import { requestsPanel } from './requests-panel.ts';
import { sandboxesPanel } from './sandboxes-panel.ts';
import { snapshotsPanel } from './snapshots-panel.ts';
import { ConsoleContext, ConsoleState, type PanelState } from './state.ts';
import { tasksPanel } from './tasks-panel.ts';
import { webhooksPanel } from './webhooks-panel.ts';

/** A part of the console. Its title is its tab and its heading, its id the hash of the URL. */
type PanelTab = { id: string; title: string; draw: (state: PanelState) => JSX.Element };

/** The panels in the order of their tabs. */
const panels: readonly [PanelTab, ...PanelTab[]] = [
  { id: 'requests', title: 'Requests', draw: requestsPanel },
  { id: 'limits', title: 'Limits', draw: limitsPanel },
  { id: 'clock', title: 'Clock', draw: clockPanel },
  { id: 'tasks', title: 'Tasks', draw: tasksPanel },
  { id: 'data', title: 'Data', draw: dataPanel },
  { id: 'faults', title: 'Faults', draw: faultsPanel },
  { id: 'webhooks', title: 'Webhooks', draw: webhooksPanel },
  { id: 'domains', title: 'Domains', draw: domainsPanel },
  { id: 'sandboxes', title: 'Sandboxes', draw: sandboxesPanel },
  { id: 'snapshots', title: 'Snapshots', draw: snapshotsPanel },
];

/** The console: which twin and which sandbox it is about, and the panel that is open. */
function Console({ admin }: { admin: Admin }): JSX.Element {
  const place = usePlace();
  const [access, setAccess] = useState(admin.access);
  useEffect(() => admin.onAccess(() => setAccess(admin.access())), [admin]);
  if (access.state === 'open') return h(Open, { key: place.sandbox, place, admin });
  const form = { action: 'Open the console', takesFocus: true, onToken: admin.setToken };
  return html`
    <header class="console-bar"><div class="wrap"><h1>Console</h1></div></header>
    <main class="wrap console-main">
      <section class="card stack token">
        ${access.state === 'token' && html`<h2>The token of the admin</h2>`}
        <p role="alert">${quoted(access.message)}</p>
        ${access.state === 'token' && h(TokenForm, form)}
      </section>
    </main>
  `;
}

/** Draws the console of a sandbox anew whenever its state changes. */
function Open({ place, admin }: { place: Place; admin: Admin }): JSX.Element {
  const { sandbox } = place;
  const panel = panels.find(({ id }) => id === place.panel) ?? panels[0];
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const state = useMemo(() => new ConsoleState(admin, () => redraw(undefined)), [admin]);
  useEffect(() => () => state.close(), [state]);
  useEffect(() => {
    document.title = `${panel.title}, ${sandbox}: petstore-twin console`;
    // Narrow pages have no room for all tabs.
    document
      .querySelector('.tabs [aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [panel, sandbox]);
  const tabs = panels.map(({ id, title }) => {
    const current = id === panel.id ? 'page' : undefined;
    return html`<li key=${id}><a href="#${id}" aria-current=${current}>${title}</a></li>`;
  });
  const content = state.draw(
    panel.id,
    () => html`
      <div class="console">
        <a class="skip" href="#panel" onClick=${skipToPanel}>Skip to the panel</a>
        ${header(state, sandbox)}
        <nav aria-label="Panels" class="tabs"><ul class="wrap">${tabs}</ul></nav>
        <main class="wrap console-main" id="panel" tabindex="-1" aria-labelledby="panel-title">
          <h2 id="panel-title" class="heard">${panel.title}</h2>
          ${problemLine(state.problem)}
          <div key=${panel.id} class="stack">${panel.draw(state)}</div>
        </main>
      </div>
    `,
  );
  return h(ConsoleContext.Provider, { value: state }, content);
}

function header(state: PanelState, sandbox: string): JSX.Element {
  const { document, version: ours } = state.read<VersionView>('version', 5000) ?? {};
  const { sandboxes = [] } = state.read<{ sandboxes: SandboxView[] }>('sandboxes', 5000) ?? {};
  const known = sandboxes.map(({ name }) => name);
  const options = [...new Set([defaultSandbox, ...known, sandbox])].map(
    (name) => html`<option key=${name} value=${name}>${name}</option>`,
  );
  const choose = ({ currentTarget }: Event) =>
    openSandbox((currentTarget as HTMLSelectElement).value);
  return html`
    <header class="console-bar">
      <div class="wrap">
        <div class="console-title">
          <h1>Console</h1>
          <p class="sub">
            ${document && quoted(`${document.title} ${document.version}, petstore-twin ${ours}`)}
          </p>
        </div>
        ${apiField()}
        <p class="field">
          <label for="sandbox">Sandbox</label>
          <select id="sandbox" value=${sandbox} onChange=${choose}>${options}</select>
        </p>
        <p class="console-links">
          <a href="../">Start page</a>
          <a href="../__docs/">Reference</a>
        </p>
      </div>
    </header>
  `;
}

/** The switch between the APIs of the process, if it serves several. */
function apiField(): JSX.Element | undefined {
  const { apis } = readPageData();
  if (!apis) return undefined;
  const options = apis.names.map(
    (name) => html`<option key=${name} value=${name}>${name}</option>`,
  );
  const choose = ({ currentTarget }: Event) =>
    location.assign(toConsoleOf((currentTarget as HTMLSelectElement).value, apis, location));
  return html`
    <p class="field">
      <label for="api">API</label>
      <select id="api" value=${apis.api} onChange=${choose}>${options}</select>
    </p>
  ` as JSX.Element;
}

function usePlace(): Place {
  const [place, setPlace] = useState(() => readPlace(location));
  useEffect(() => {
    const update = () => setPlace(readPlace(location));
    addEventListener('popstate', update);
    return () => removeEventListener('popstate', update);
  }, []);
  return place;
}

/** The hash names the panel, so it cannot name where to go as well. */
function skipToPanel(event: Event): void {
  event.preventDefault();
  document.getElementById('panel')?.focus();
}

const root = document.getElementById('console');
if (root) {
  root.replaceChildren();
  render(h(Console, { admin: createAdmin() }), root);
}
