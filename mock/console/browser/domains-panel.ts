import { h, type JSX } from 'preact';
import type { DomainView, RedirectView } from '../../domains/domain-view.ts';
import type { Project } from '../../domains/domains-state.ts';
import { DomainCard } from './domain-card.ts';
import { DomainForm, RedirectsForm } from './domain-forms.ts';
import { Panel, PanelSection, useNotice } from './panel.ts';
import { ProjectForm } from './project-form.ts';
import { useAdmin } from './use-admin.ts';
import { useLast } from './use-last.ts';
import { usePages } from './use-pages.ts';
import { type Zone, ZoneSection } from './zone-section.ts';

/** The custom domains of the published project, their records and redirects. */
export function DomainsPanel(): JSX.Element {
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
  return h(
    Panel,
    { problem },
    h(
      PanelSection,
      { id: 'domain-list', title: 'Domains', notice },
      domains?.length === 0 &&
        h(
          'p',
          { class: 'none' },
          'The project has no domain. Add one to rehearse a custom domain of the service: its DNS records, its certificate and its redirects.',
        ),
      shown.length > 0 &&
        h(
          'ul',
          { class: 'stack', 'aria-label': 'Domains' },
          ...shown.map((view) =>
            h(DomainCard, { key: view.domain, view, redirects, zone, say: notice.show }),
          ),
        ),
      pager,
    ),
    h(
      'div',
      { class: 'cards' },
      h(DomainForm, { say }),
      project && h(ProjectForm, { project, say }),
      h(RedirectsForm, { redirects, domains: domains ?? [], say: notice.show }),
    ),
    zone && h(ZoneSection, { zone, say }),
  );
}
