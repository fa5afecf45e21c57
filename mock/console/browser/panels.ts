import type { ComponentType } from 'preact';
import { RequestsPanel } from './requests-panel.ts';

/** A part of the console. Its title is its tab and its heading, its id the hash of the URL. */
export type Panel = { id: string; title: string; component: ComponentType };

/** The panels in the order of their tabs. */
export const panels: readonly Panel[] = [
  { id: 'requests', title: 'Requests', component: RequestsPanel },
];
