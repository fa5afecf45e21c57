import { html } from 'htm/preact';
import { type ComponentType, h, type JSX, render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { SandboxView } from '../../admin/sandbox-handlers.ts';
import type { VersionView } from '../../admin/twin-handlers.ts';
import { type Admin, createAdmin } from '../../pages/browser/admin.ts';
import { quoted, TokenForm } from '../../pages/browser/parts.ts';
import { ClockPanel } from './clock-panel.ts';
import { DataPanel } from './data-panel.ts';
import { DomainsPanel } from './domains-panel.ts';
import { FaultsPanel } from './faults-panel.ts';
import { LimitsPanel } from './limits-panel.ts';
import { openSandbox } from './page.ts';
import { problemLine } from './panel.ts';
import { defaultSandbox, type Place, readPlace } from './place.ts';
import { RequestsPanel } from './requests-panel.ts';
import { SandboxesPanel } from './sandboxes-panel.ts';
import { SnapshotsPanel } from './snapshots-panel.ts';
import { TasksPanel } from './tasks-panel.ts';
import { AdminContext, MemoryContext, useAdmin } from './use-admin.ts';
import { WebhooksPanel } from './webhooks-panel.ts';

/** A part of the console. Its title is its tab and its heading, its id the hash of the URL. */
type PanelTab = { id: string; title: string; component: ComponentType };

/** The panels in the order of their tabs. */
const panels: readonly [PanelTab, ...PanelTab[]] = [
  { id: 'requests', title: 'Requests', component: RequestsPanel },
  { id: 'limits', title: 'Limits', component: LimitsPanel },
  { id: 'clock', title: 'Clock', component: ClockPanel },
  { id: 'tasks', title: 'Tasks', component: TasksPanel },
  { id: 'data', title: 'Data', component: DataPanel },
  { id: 'faults', title: 'Faults', component: FaultsPanel },
  { id: 'webhooks', title: 'Webhooks', component: WebhooksPanel },
  { id: 'domains', title: 'Domains', component: DomainsPanel },
  { id: 'sandboxes', title: 'Sandboxes', component: SandboxesPanel },
  { id: 'snapshots', title: 'Snapshots', component: SnapshotsPanel },
];

/** The console: which twin and which sandbox it is about, and the panel that is open. */
function Console({ admin }: { admin: Admin }): JSX.Element {
  const place = usePlace();
  const [access, setAccess] = useState(admin.access);
  useEffect(() => admin.onAccess(() => setAccess(admin.access())), [admin]);
  if (access.state === 'open')
    return h(AdminContext.Provider, { value: admin }, h(Open, { key: place.sandbox, place }));
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

function Open({ place }: { place: Place }): JSX.Element {
  const { sandbox } = place;
  const panel = panels.find(({ id }) => id === place.panel) ?? panels[0];
  const memory = useMemo(() => new Map<string, unknown>(), []);
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
  return html`
    <div class="console">
      <a class="skip" href="#panel" onClick=${skipToPanel}>Skip to the panel</a>
      ${h(Header, { sandbox })}
      <nav aria-label="Panels" class="tabs"><ul class="wrap">${tabs}</ul></nav>
      <main class="wrap console-main" id="panel" tabindex="-1" aria-labelledby="panel-title">
        <h2 id="panel-title" class="heard">${panel.title}</h2>
        ${h(MemoryContext.Provider, { value: memory }, h(panel.component, { key: panel.id }))}
      </main>
    </div>
  `;
}

function Header({ sandbox }: { sandbox: string }): JSX.Element {
  const { value: version, problem } = useAdmin<VersionView>('version', { every: 5000 });
  const { value: list } = useAdmin<{ sandboxes: SandboxView[] }>('sandboxes', { every: 5000 });
  const known = (list?.sandboxes ?? []).map(({ name }) => name);
  const options = [...new Set([defaultSandbox, ...known, sandbox])].map(
    (name) => html`<option key=${name} value=${name}>${name}</option>`,
  );
  const { document, version: ours } = version ?? {};
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
        <p class="field">
          <label for="sandbox">Sandbox</label>
          <select id="sandbox" value=${sandbox} onChange=${choose}>${options}</select>
        </p>
        <p class="console-links">
          <a href="../">Start page</a>
          <a href="../__docs/">Reference</a>
        </p>
        ${problemLine(problem)}
      </div>
    </header>
  `;
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
