import { h, type JSX } from 'preact';
import { Shown } from '../../pages/browser/shown.ts';

/** Says what went wrong, also to those who listen; empty where nothing did. */
export function ProblemLine({ problem }: { problem: string | undefined }): JSX.Element {
  return h(
    'p',
    { role: 'alert', class: 'outcome is-drift' },
    problem && h(Shown, { text: problem }),
  );
}
