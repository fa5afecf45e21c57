import type { KeyUsage } from '../../limits/limiter.ts';

type UsageFields = Omit<KeyUsage, 'minute' | 'day'> & {
  minute: [index: number, calls: number][];
  day: [index: number, calls: number][];
};

/** What a key has used as JSON; its windows keep their order. */
export function toUsageText(usage: KeyUsage): string {
  return JSON.stringify({ ...usage, minute: [...usage.minute], day: [...usage.day] });
}

/** Reads such a text. */
export function parseUsageText(text: string): KeyUsage {
  const { minute, day, ...rest }: UsageFields = JSON.parse(text);
  return { ...rest, minute: new Map(minute), day: new Map(day) };
}
