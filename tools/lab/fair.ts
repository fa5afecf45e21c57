import { animalRows } from './fair/animals.ts';
import { answerRows } from './fair/answers.ts';
import { frameworkRows } from './fair/frameworks.ts';
import { limitRows } from './fair/limits.ts';
import { requestRows } from './fair/requests.ts';
import { windowRows } from './fair/windows.ts';
import { family, type Row } from './row.ts';

/** Deployments that keep every stated clause and differ only where the interface is silent. */
export const fair: Row[] = [
  ...family('fair-true', '§1', {
    'fair-true': { about: 'the true deployment', looksTrue: 'it is' },
  }),
  ...answerRows,
  ...frameworkRows,
  ...requestRows,
  ...animalRows,
  ...limitRows,
  ...windowRows,
];
