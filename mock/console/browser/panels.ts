import type { ComponentType } from 'preact';
import { ClockPanel } from './clock-panel.ts';
import { DataPanel } from './data-panel.ts';
import { DomainsPanel } from './domains-panel.ts';
import { FaultsPanel } from './faults-panel.ts';
import { LimitsPanel } from './limits-panel.ts';
import { RequestsPanel } from './requests-panel.ts';
import { SandboxesPanel } from './sandboxes-panel.ts';
import { SnapshotsPanel } from './snapshots-panel.ts';

/** A part of the console. Its title is its tab and its heading, its id the hash of the URL. */
export type PanelTab = { id: string; title: string; component: ComponentType };

/** The panels in the order of their tabs. */
export const panels: readonly PanelTab[] = [
  { id: 'requests', title: 'Requests', component: RequestsPanel },
  { id: 'limits', title: 'Limits', component: LimitsPanel },
  { id: 'clock', title: 'Clock', component: ClockPanel },
  { id: 'data', title: 'Data', component: DataPanel },
  { id: 'faults', title: 'Faults', component: FaultsPanel },
  { id: 'domains', title: 'Domains', component: DomainsPanel },
  { id: 'sandboxes', title: 'Sandboxes', component: SandboxesPanel },
  { id: 'snapshots', title: 'Snapshots', component: SnapshotsPanel },
];
