import type { ComponentType } from 'preact';
import { ClockPanel } from './clock-panel.ts';
import { FaultsPanel } from './faults-panel.ts';
import { LimitsPanel } from './limits-panel.ts';
import { RequestsPanel } from './requests-panel.ts';

/** A part of the console. Its title is its tab and its heading, its id the hash of the URL. */
export type Panel = { id: string; title: string; component: ComponentType };

/** The panels in the order of their tabs. */
export const panels: readonly Panel[] = [
  { id: 'requests', title: 'Requests', component: RequestsPanel },
  { id: 'limits', title: 'Limits', component: LimitsPanel },
  { id: 'clock', title: 'Clock', component: ClockPanel },
  { id: 'faults', title: 'Faults', component: FaultsPanel },
];
