import type { Delay } from '../../faults/delay.ts';
import { toNumberOrText } from './number-text.ts';

/** A delay as it is being filled in: its type, or none, and the texts of its fields. */
export type DelayDraft = { type: '' | Delay['type']; fields: Readonly<Record<string, string>> };

export const noDelay: DelayDraft = { type: '', fields: {} };

/** The fields of each type of delay, with their labels. */
export const delayFields: Readonly<
  Record<DelayDraft['type'], readonly [name: string, label: string][]>
> = {
  '': [],
  fixed: [['milliseconds', 'Milliseconds']],
  uniform: [
    ['lower', 'From, in ms'],
    ['upper', 'To, in ms'],
  ],
  lognormal: [
    ['median', 'Median, in ms'],
    ['sigma', 'Sigma'],
  ],
};

/** The delay as the admin takes it; undefined for none. A field that is empty is left out. */
export function toDelay({ type, fields }: DelayDraft): object | undefined {
  if (type === '') return undefined;
  const given = delayFields[type].flatMap(([name]) => {
    const text = fields[name]?.trim() ?? '';
    return text === '' ? [] : [[name, toNumberOrText(text)]];
  });
  return { type, ...Object.fromEntries(given) };
}

/** A delay as it can be filled in. */
export function toDelayDraft(delay: Delay | null | undefined): DelayDraft {
  if (!delay) return noDelay;
  const { type, ...fields } = delay;
  const texts = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  return { type, fields: Object.fromEntries(texts) };
}

/** A delay in words. */
export function describeDelay(delay: Delay): string {
  const ms = (value: number) => `${value.toLocaleString('en')} ms`;
  switch (delay.type) {
    case 'fixed':
      return ms(delay.milliseconds);
    case 'uniform':
      return `${ms(delay.lower)} to ${ms(delay.upper)}`;
    case 'lognormal':
      return `log-normal, median ${ms(delay.median)}, sigma ${delay.sigma}`;
  }
}
