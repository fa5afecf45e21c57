import { html } from 'htm/preact';
import { type ComponentType, h, type JSX, render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { SandboxView } from '../../admin/sandbox-handlers.ts';
import type { VersionView } from '../../admin/twin-handlers.ts';
import type { DomainView, RedirectView } from '../../domains/domain-view.ts';
import type { Project } from '../../domains/domains-state.ts';
import { type Admin, createAdmin } from '../../pages/browser/admin.ts';
import { quoted, TokenForm } from '../../pages/browser/parts.ts';
import { ClockPanel } from './clock-panel.ts';
import { DataPanel } from './data-panel.ts';
import { DomainForm, ProjectForm, RedirectsForm, type Zone, ZoneSection } from './domain-forms.ts';
import { DomainCard } from './domains-panel.ts';
import { FaultsPanel } from './faults-panel.ts';
import { LimitsPanel } from './limits-panel.ts';
import { openSandbox } from './page.ts';
import { MemoryContext, panelSection, problemLine, useNotice, usePages } from './panel.ts';
import { defaultSandbox, type Place, readPlace } from './place.ts';
import { RequestsPanel } from './requests-panel.ts';
import { SandboxesPanel } from './sandboxes-panel.ts';
import { SnapshotsPanel } from './snapshots-panel.ts';
import { AdminContext, useAdmin, useLast } from './use-admin.ts';

/** The console: which twin and which sandbox it is about, and the panel that is open. */
export function Shell({ admin }: { admin: Admin }): JSX.Element {
  const place = usePlace();
  const [access, setAccess] = useState(admin.access);
  useEffect(() => admin.onAccess(() => setAccess(admin.access())), [admin]);
  if (access.state === 'open')
    return h(
      AdminContext.Provider,
      { value: admin },
      html`
        ${h(Open, { key: place.sandbox, place })}
      `,
    );
  return html`
    <div>
      <header class="console-bar">
        <div class="wrap"><h1>Console</h1></div>
      </header>
      <main class="wrap console-main">
        ${
          access.state === 'token'
            ? html`
              <section class="card token">
                <h2>The token of the admin</h2>
                <p role="alert">${quoted(access.message)}</p>
                ${h(TokenForm, {
                  action: 'Open the console',
                  takesFocus: true,
                  onToken: admin.setToken,
                })}
              </section>
            `
            : html`<p class="card" role="alert">${quoted(access.message)}</p>`
        }
      </main>
    </div>
  `;
}

function Open({ place }: { place: Place }): JSX.Element {
  const panel = panels.find(({ id }) => id === place.panel) ?? panels[0];
  const memory = useMemo(() => new Map<string, unknown>(), []);
  useEffect(() => {
    const { sandbox } = place;
    document.title = `${panel?.title}, ${sandbox}: petstore-twin console`;
    // Narrow pages have no room for all tabs.
    document
      .querySelector('.tabs [aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [panel, place]);
  return html`
    <div>
      <a class="skip" href="#panel" onClick=${skipToPanel}>Skip to the panel</a>
      ${h(Header, { place })}
      <nav aria-label="Panels" class="tabs">
        <ul class="wrap">
          ${panels.map(({ id, title }) => {
            const current = id === panel?.id ? ({ 'aria-current': 'page' } as const) : {};
            return html`<li key=${id}><a href="#${id}" ...${current}>${title}</a></li>`;
          })}
        </ul>
      </nav>
      <main class="wrap console-main" id="panel" tabIndex=${-1} aria-labelledby="panel-title">
        <h2 id="panel-title" class="heard">${panel?.title}</h2>
        ${
          panel &&
          h(
            MemoryContext.Provider,
            { value: memory },
            html`
              ${h(panel.component, { key: panel.id })}
            `,
          )
        }
      </main>
    </div>
  `;
}

function Header({ place: { sandbox } }: { place: Place }): JSX.Element {
  const { value: version, problem } = useAdmin<VersionView>('version', { every: 5000 });
  const { value: list } = useAdmin<{ sandboxes: SandboxView[] }>('sandboxes', { every: 5000 });
  const names = new Set([defaultSandbox, ...(list?.sandboxes ?? []).map(({ name }) => name)]);
  names.add(sandbox);
  return html`
    <header class="console-bar">
      <div class="wrap">
        <div class="console-title">
          <h1>Console</h1>
          <p class="sub">
            ${
              version &&
              quoted(
                `${version.document.title} ${version.document.version}, petstore-twin ${version.version}`,
              )
            }
          </p>
        </div>
        <p class="field">
          <label for="sandbox">Sandbox</label>
          <select
            id="sandbox"
            value=${sandbox}
            onChange=${({ currentTarget }: Event) =>
              openSandbox((currentTarget as HTMLSelectElement).value)}
          >
            ${[...names].map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
          </select>
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

/** A part of the console. Its title is its tab and its heading, its id the hash of the URL. */
type PanelTab = { id: string; title: string; component: ComponentType };

/** The panels in the order of their tabs. */
const panels: readonly PanelTab[] = [
  { id: 'requests', title: 'Requests', component: RequestsPanel },
  { id: 'limits', title: 'Limits', component: LimitsPanel },
  { id: 'clock', title: 'Clock', component: ClockPanel },
  { id: 'data', title: 'Data', component: DataPanel },
  { id: 'faults', title: 'Faults', component: FaultsPanel },
  { id: 'domains', title: 'Domains', component: DomainsPanel },
  { id: 'sandboxes', title: 'Sandboxes', component: SandboxesPanel },
  { id: 'snapshots', title: 'Snapshots', component: SnapshotsPanel },
];

/** The custom domains of the published project, their records and redirects. */
function DomainsPanel(): JSX.Element {
  const { value, problem } = useAdmin<{ domains: DomainView[] }>('domains', { every: 1000 });
  const { value: projectRead } = useAdmin<Project>('project', { every: 5000 });
  const { value: zoneRead } = useAdmin<Zone>('dns', { every: 5000 });
  const { value: redirectsRead } = useAdmin<{ redirects: RedirectView[] }>('redirects', {
    every: 5000,
  });
  const domains = useLast(value)?.domains;
  const project = useLast(projectRead);
  const zone = useLast(zoneRead);
  const redirects = useLast(redirectsRead)?.redirects ?? [];
  const notice = useNotice();
  const { shown, pager } = usePages(domains ?? [], { about: 'domains' });
  const say = notice.setText;
  return html`
    <div class="stack">
      ${problemLine(problem)}
      ${panelSection(
        { id: 'domain-list', title: 'Domains', notice },
        html`
          ${
            domains?.length === 0 &&
            html`
              <p class="none">
                The project has no domain. Add one to rehearse a custom domain of the service: its DNS records, its certificate and its redirects.
              </p>
            `
          }
          ${
            shown.length > 0 &&
            html`
              <ul class="stack" aria-label="Domains">
                ${shown.map((view) =>
                  h(DomainCard, { key: view.domain, view, redirects, zone, say: notice.show }),
                )}
              </ul>
            `
          }
          ${pager}
        `,
      )}
      <div class="cards">
        ${h(DomainForm, { say })}
        ${project && h(ProjectForm, { project, say })}
        ${h(RedirectsForm, { redirects, domains: domains ?? [], say: notice.show })}
      </div>
      ${zone && h(ZoneSection, { zone, say })}
    </div>
  `;
}

const root = document.getElementById('console');
if (root) {
  root.replaceChildren();
  render(h(Shell, { admin: createAdmin() }), root);
}
